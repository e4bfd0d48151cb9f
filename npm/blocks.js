// Turns blocks of code in the language `fencepost` into live figures. The block is its own source: a story's name, a link, or
// a whole scenario. Until the figure is live, and without script, the block itself stands.

import "./fence-post.js";

/** How tools for docs pages mark a block's language. */
const BLOCKS = [
  // markdown-it, mdBook, and most others; Docusaurus; Sphinx and VitePress, kramdown; Shiki; Zola.
  "code.language-fencepost",
  "code.lang-fencepost",
  "pre.language-fencepost",
  "pre.fencepost",
  "[class*=highlight-fencepost] pre",
  "[class*=language-fencepost] pre",
  "pre[lang=fencepost]",
  "pre[data-language=fencepost]",
  "pre[data-lang=fencepost]",
  "code[data-lang=fencepost]",
].join(", ");

/** Turns every block below `root` into a figure. Answers with the figures. */
export function enliven(root = document) {
  const figures = [];
  for (const block of root.querySelectorAll(BLOCKS)) {
    const source = block.closest("pre");
    if (!source || source.closest("fence-post")) continue;
    const figure = document.createElement("fence-post");
    // As it is seen: some tools break lines with elements.
    figure.setAttribute("document", source.innerText);
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
