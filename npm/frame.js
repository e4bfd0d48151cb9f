// The page for an iframe: one figure of what stands after the `#` of its address, and messages to and from the page around it.
//
// Each message is an object with `fencepost: 1` and a `type`. What a page may ask: `show`, `seek`, `play`, `pause`, `theme`.
// What the figure tells: `ready`, `verdict`, `playhead`, `playing`, `change`, `refused`, `stopped`, `height`.

import { linkOf } from "./fence-post.js";

const VERSION = 1;
const TOLD = ["ready", "verdict", "playhead", "playing", "change", "refused", "stopped"];
const figure = document.createElement("fence-post");
figure.setAttribute("loading", "eager");

function tell(type, particulars) {
  // To whoever embeds it: nothing in it is secret.
  if (parent !== window) parent.postMessage({ fencepost: VERSION, type, ...particulars }, "*");
}

const ASKED = {
  show(asked) {
    if (typeof asked.document === "string") figure.document = asked.document;
    else figure.link = typeof asked.link === "string" ? asked.link : linkOf((name) => asked[name]);
    show();
  },
  seek: ({ at_us }) => figure.seek(at_us),
  play: ({ speed }) => figure.play(speed),
  pause: () => figure.pause(),
  theme: ({ theme }) => darken(theme),
};

/** From the first document on there is a figure; before, there is nothing to show. */
function show() {
  if (!figure.isConnected) document.body.prepend(figure);
}

function darken(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.fencepost === undefined) return;
  if (data.fencepost !== VERSION) {
    tell("refused", { why: `the message is of version ${data.fencepost}; this figure knows version ${VERSION}` });
  } else if (!Object.hasOwn(ASKED, data.type)) {
    tell("refused", { why: `the message asks for \`${data.type}\`; known are ${Object.keys(ASKED).join(", ")}` });
  } else {
    ASKED[data.type](data);
  }
});

for (const name of TOLD) figure.addEventListener(`fencepost-${name}`, ({ detail }) => tell(name, detail));
new ResizeObserver(() => tell("height", { height: Math.ceil(figure.getBoundingClientRect().height) })).observe(figure);

const asked = new URLSearchParams(location.search);
darken(asked.get("theme"));
if (asked.has("laboratory")) figure.setAttribute("laboratory", asked.get("laboratory"));
function follow() {
  if (location.hash.length < 2) return;
  figure.link = location.hash;
  show();
}
follow();
// An address that changes turns the figure to another play.
addEventListener("hashchange", follow);
