// Blocks of code in the language `fencepost` are rendered as any other; `blocks.js` in the layout makes them live.
export default function (config) {
  // In a site of your own: "node_modules/fencepost" after `npm install fencepost`.
  config.addPassthroughCopy({ [process.env.FENCEPOST ?? "node_modules/fencepost"]: "fencepost" });
  return { dir: { input: "pages", output: process.env.OUTPUT ?? "_site" } };
}
