// Turns blocks of code in the language `fencepost` into live figures. The block is its own source: a story's name, a link, or
// a whole scenario. Until the figure is live, and without script, the block itself stands.

import "./fence-post.js";

/** How tools for docs pages mark a block's language. */
const BLOCKS = [
  "pre > code.language-fencepost",
  "pre > code.lang-fencepost",
  "pre.fencepost > code",
  "pre[lang=fencepost] > code",
  "[class*=language-fencepost] > pre > code",
  "[class*=highlight-fencepost] pre",
].join(", ");

/** Turns every block below `root` into a figure. Answers with the figures. */
export function enliven(root = document) {
  const figures = [];
  for (const block of root.querySelectorAll(BLOCKS)) {
    const source = block.closest("pre");
    if (!source || source.closest("fence-post")) continue;
    const figure = document.createElement("fence-post");
    figure.setAttribute("document", block.textContent);
    for (const [name, value] of Object.entries(source.dataset)) {
      if (["laboratory", "theme", "loading"].includes(name)) figure.setAttribute(name, value);
    }
    source.before(figure);
    figure.append(source);
    figures.push(figure);
  }
  return figures;
}

enliven();
