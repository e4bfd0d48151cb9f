// A page that talks to the figure in its frame.

const frame = document.querySelector("iframe");
const says = document.querySelector("#verdict");

/** What the figure told last, by type. */
export const told = {};

export function ask(type, particulars = {}) {
  frame.contentWindow.postMessage({ fencepost: 1, type, ...particulars }, "*");
}

addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow || data?.fencepost !== 1) return;
  told[data.type] = data;
  if (data.type === "verdict") says.textContent = `${data.sentence} ${data.because}`;
  if (data.type === "refused") says.textContent = `Not done: ${data.why}`;
  if (data.type === "height") frame.height = data.height;
});

document
  .querySelector("#unfence")
  .addEventListener("click", () => ask("show", { story: "billing", variant: "unfenced" }));
document.querySelector("#moment").addEventListener("click", () => ask("seek", { at_us: 19_050_000 }));
