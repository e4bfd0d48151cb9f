/** What came out, as a figure tells it. */
export interface FigureVerdict {
  title: string;
  tone: "good" | "bad" | "warn" | "plain";
  sentence: string;
  because: string;
  /** By the names of the verdict; times end in `_us` and are microseconds. */
  numbers: Record<string, number>;
}

export interface FencePostEvents {
  "fencepost-ready": CustomEvent<{ link: string }>;
  "fencepost-verdict": CustomEvent<FigureVerdict>;
  "fencepost-playhead": CustomEvent<{ at_us: number }>;
  "fencepost-playing": CustomEvent<{ playing: boolean }>;
  "fencepost-change": CustomEvent<{ link: string; edited: boolean }>;
  "fencepost-refused": CustomEvent<{ why: string }>;
  "fencepost-stopped": CustomEvent<{ why: string }>;
}

/** The element `<fence-post>`: a live figure. */
export class FencePost extends HTMLElement {
  /** What is shown: what stands after the `#` of a link. Can be set to a whole link. */
  link: string;
  /** The document as it is now. Can be set to a story's name, a link or a document. */
  document: string;
  /** The verdict that was told last. */
  readonly verdict: FigureVerdict | undefined;
  /** Where the playhead is, in microseconds. */
  readonly at_us: number | undefined;
  readonly isLive: boolean;
  /** Makes the figure live, seen or not; done when it is, or cannot be. */
  load(): Promise<void>;
  /** Moves the playhead, in microseconds. */
  seek(at_us: number): void;
  /** Plays, so many times as fast as true time. */
  play(speed?: number): void;
  pause(): void;

  addEventListener<K extends keyof FencePostEvents>(
    type: K,
    listener: (this: FencePost, event: FencePostEvents[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "fence-post": FencePost;
  }
}
