// The element <fence-post>: a live figure of leases, locks and fencing tokens in any page.
//
// Until it is seen nothing but this file is loaded, and what the page has inside the element is shown: a static figure, a
// verdict in words. All figures of a page share one program.

/** The parts of a link that stand for themselves as attributes. */
const NAMED = ["story", "variant", "at", "fault"];
/** Where a document as text is looked for inside the element. */
const TEXT = "script[type='application/toml'], pre";

/** The program and the figures' style, once for the whole page. */
let program;
/** After a mistake of ours the program cannot be relied on any more, by no figure. */
let broken;

function load() {
  if (broken) return Promise.reject(new Error(`Fencepost stopped: ${broken}`));
  program ??= Promise.all([start(), style(new URL("./figure.css", import.meta.url))]).catch((error) => {
    // The next figure, or the same one told to, tries again.
    program = undefined;
    throw error;
  });
  return program;
}

async function start() {
  const { default: init, Figure } = await import("./figure.js");
  await init({ module_or_path: new URL("./figure_bg.wasm", import.meta.url) });
  return Figure;
}

async function style(file) {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file} is not there (${answer.status})`);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await answer.text());
  return sheet;
}

/** What the element looks like before it is live. It has no global rule, and takes none from the page. */
const frame = new CSSStyleSheet();
frame.replaceSync(`
  :host { display: block; position: relative; }
  :host([hidden]) { display: none; }
  .note { margin: 0.5em 0; padding: 0.5em 0.75em; border: 1px solid currentColor; border-radius: 6px;
          font: 0.875em/1.4 system-ui, sans-serif; }
  .note[hidden], slot[hidden] { display: none; }
`);

export class FencePost extends HTMLElement {
  static observedAttributes = [...NAMED, "link", "document", "theme"];

  #figure;
  #waiting;
  /** Becoming live, while that takes. */
  #going;
  /** Whether it was to be live and could not: then another document is another try. */
  #failed = false;
  #turns = false;
  #place;
  #slot;
  #note;
  #told = {};
  #unwatch;
  /** What is to be done as soon as it is live. */
  #due = [];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [frame];
    this.#slot = document.createElement("slot");
    this.#note = document.createElement("p");
    this.#note.className = "note";
    this.#note.setAttribute("role", "alert");
    this.#note.hidden = true;
    root.append(this.#slot, this.#note);
  }

  connectedCallback() {
    if (this.getAttribute("loading") === "eager") {
      this.#live();
      return;
    }
    this.#waiting = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#live();
      },
      { rootMargin: "200px" },
    );
    this.#waiting.observe(this);
  }

  disconnectedCallback() {
    this.#waiting?.disconnect();
    // An element that is moved is taken out and put in again: only what stays out is put away.
    queueMicrotask(() => {
      if (!this.isConnected) this.#putAway();
    });
  }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    if (name === "theme") {
      this.#darken();
    } else {
      this.#soon();
    }
  }

  /** Turns to what is asked for. Several attributes that change together are one turn. */
  #soon() {
    if (this.#turns || !(this.#figure || this.#failed)) return;
    this.#turns = true;
    queueMicrotask(() => {
      this.#turns = false;
      if (this.#figure) this.#turn();
      else if (this.isConnected) this.#live();
    });
  }

  /** What the figure shows: what stands after the `#` of a link. */
  get link() {
    return this.#figure?.link() ?? this.#link();
  }

  /** Turns to what a link leads to: a whole address, or what stands after its `#`. */
  set link(link) {
    this.setAttribute("link", link);
    // The same once more goes back to it.
    this.#soon();
  }

  /** The document as it is now, as text; until the figure is live, what the element holds. */
  get document() {
    return this.#figure?.document() ?? this.getAttribute("document") ?? this.#text() ?? "";
  }

  set document(text) {
    for (const name of [...NAMED, "link"]) this.removeAttribute(name);
    this.setAttribute("document", text);
    this.#soon();
  }

  /** The verdict that was told last; nothing until the figure is live. */
  get verdict() {
    return this.#told.verdict;
  }

  /** Where the playhead is, in microseconds. */
  get at_us() {
    return this.#told.playhead?.at_us;
  }

  /** Whether the figure is live. */
  get isLive() {
    return this.#figure !== undefined;
  }

  /** Makes the figure live, seen or not; done when it is, or cannot be. */
  async load() {
    await this.#live();
  }

  /** Moves the playhead to an instant, in microseconds. */
  seek(at_us) {
    this.#do((figure) => figure.seek(Number(at_us)));
  }

  /** Plays, so many times as fast as true time. */
  play(speed = 4) {
    this.#do((figure) => figure.play(Number(speed)));
  }

  pause() {
    this.#do((figure) => figure.pause());
  }

  #do(what) {
    if (this.#figure) what(this.#figure);
    else this.#due.push(what);
  }

  /** What is asked for, and whether it is a block: by attributes, or by the text inside. */
  #source() {
    const isNamed = this.hasAttribute("link") || this.hasAttribute("story");
    const block = isNamed ? undefined : (this.getAttribute("document") ?? this.#text());
    return block === undefined ? [this.#link(), false] : [block, true];
  }

  /** The link that the attributes make. */
  #link() {
    const link = this.getAttribute("link");
    if (link !== null) return link.slice(link.indexOf("#") + 1);
    return linkOf((name) => this.getAttribute(name));
  }

  #text() {
    return this.querySelector(TEXT)?.textContent;
  }

  #live() {
    this.#waiting?.disconnect();
    if (this.#figure) return Promise.resolve();
    this.#going ??= this.#begin().finally(() => {
      this.#going = undefined;
    });
    return this.#going;
  }

  async #begin() {
    try {
      const [Figure, sheet] = await load();
      if (!this.isConnected) return;
      this.shadowRoot.adoptedStyleSheets = [frame, sheet];
      const place = document.createElement("div");
      place.className = "fence-post";
      // In the page before it is filled: its width decides the layout.
      this.shadowRoot.append(place);
      this.#place = place;
      const tell = (what, particulars) => this.#tell(what, particulars);
      this.#figure = new Figure(place, ...this.#source(), this.#isDark(), this.#laboratory(), tell);
      this.#slot.hidden = true;
      this.#note.hidden = true;
      this.#failed = false;
      this.#unwatch = watchColours(() => this.#darken());
      for (const what of this.#due.splice(0)) what(this.#figure);
      // What it tells first it tells a moment later.
      await new Promise((after) => setTimeout(after));
      if (this.#figure) this.#tell("ready", { link: this.link });
    } catch (error) {
      this.#putAway();
      this.#failed = true;
      this.#say("This figure cannot be shown", error);
    }
  }

  /** The address of a Fencepost page, if it is one that can be gone to. */
  #laboratory() {
    const asked = this.getAttribute("laboratory");
    if (asked === null) return undefined;
    const address = URL.canParse(asked, location.href) ? new URL(asked, location.href) : undefined;
    return ["http:", "https:"].includes(address?.protocol) ? address.href : undefined;
  }

  /** Turns the live figure to what is asked for now. What leads nowhere is said, and the figure stays. */
  #turn() {
    try {
      this.#figure.show(...this.#source());
      this.#note.hidden = true;
    } catch (error) {
      // When it has stopped, that was said.
      if (this.#figure) this.#say("Not shown", error);
    }
  }

  #say(what, error) {
    const why = error instanceof Error ? error.message : String(error);
    this.#note.textContent = `${what}: ${why}`;
    this.#note.hidden = false;
    this.#tell("refused", { why });
  }

  #tell(what, particulars) {
    this.#told[what] = particulars;
    this.dispatchEvent(new CustomEvent(`fencepost-${what}`, { detail: particulars, bubbles: true, composed: true }));
    if (what === "stopped") this.#stopped(particulars.why);
  }

  /** After a mistake of ours the static figure stands again. */
  #stopped(why) {
    broken = why;
    this.#figure = undefined;
    this.#unwatch?.();
    this.#place?.remove();
    this.#slot.hidden = false;
    this.#note.textContent = `Fencepost stopped, by a mistake of its own: ${why}`;
    this.#note.hidden = false;
  }

  #putAway() {
    this.#unwatch?.();
    this.#figure?.free();
    this.#figure = undefined;
    this.#told = {};
    this.#place?.remove();
    this.#slot.hidden = false;
  }

  #darken() {
    this.#figure?.darken(this.#isDark());
  }

  #isDark() {
    const theme = this.getAttribute("theme");
    return theme === "dark" || (theme !== "light" && isDarkAround(this));
  }
}

/** A link of the parts that stand for themselves, as far as `part` has a text for each. */
export function linkOf(part) {
  const parts = NAMED.map((name) => [name, part(name)]).filter(([, value]) => typeof value === "string");
  return ["v=1", ...parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join("&");
}

/** A colour, however it is written, as red, green, blue and alpha from 0 to 255. */
function seen(colour) {
  pixel ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
    willReadFrequently: true,
  });
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  return pixel.getImageData(0, 0, 1, 1).data;
}

let pixel;

/** Whether what lies behind an element is dark: its page's colour there, otherwise the scheme that the page lets be used. */
function isDarkAround(element) {
  for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
    const [red, green, blue, alpha] = seen(getComputedStyle(at).backgroundColor);
    if (alpha > 127) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110;
  }
  const scheme = getComputedStyle(element).colorScheme;
  const dark = scheme.includes("dark");
  return dark && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Calls when the page may have turned light or dark. Answers with what ends that. */
function watchColours(then) {
  const later = () => requestAnimationFrame(then);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", later);
  const root = new MutationObserver(later);
  const filter = {
    attributes: true,
    attributeFilter: ["class", "style", "data-theme", "data-md-color-scheme", "theme"],
  };
  root.observe(document.documentElement, filter);
  if (document.body) root.observe(document.body, filter);
  // A page that changes its colours by and by is what it will be at the end of that.
  const changed = ({ propertyName }) => {
    if (propertyName.startsWith("background")) later();
  };
  document.addEventListener("transitionend", changed);
  return () => {
    document.removeEventListener("transitionend", changed);
    scheme.removeEventListener("change", later);
    root.disconnect();
  };
}

if (!customElements.get("fence-post")) customElements.define("fence-post", FencePost);
