/** A scenario document: TOML, JSON, or the value that JSON would be read as. */
export type ScenarioDocument = string | object;

/** What to change before a document is played, and how to report. */
export interface Options {
  /** Play this variant of it. */
  variant?: string;
  /** Set these paths after that: `{ 'worker.A.margin': '3s', 'store.billing.kind': 'unfenced' }`. */
  set?: Record<string, string | number | boolean>;
  /** Draw everything that is drawn from this seed: a whole number from 0 to below 2^53. */
  seed?: number;
}

/** Plays a document; the object is that of `fencepost run --format json`. Throws a `ScenarioError`. */
export function play(
  document: ScenarioDocument,
  options?: Options & { format?: "json"; trace?: boolean },
): Promise<Played>;
/** Plays a document and reports in words, for a terminal or an issue. Throws a `ScenarioError`. */
export function play(document: ScenarioDocument, options: Options & { format: "markdown" | "table" }): Promise<string>;

/** Plays a document and each of its variants, and holds them to what they expect. Throws a `ScenarioError`. */
export function check(document: ScenarioDocument): Promise<Checked>;

/** Everything that is wrong with a document and its variants; nothing is played. Empty when all is good. */
export function lint(document: ScenarioDocument): Promise<Problem[]>;

/** The JSON Schema (draft 2020-12) of scenario documents. */
export function schema(): Promise<Record<string, unknown>>;

/** What is thrown for a document, or for options, with which nothing can be done. The message has a line a problem. */
export class ScenarioError extends Error {
  problems: Problem[];
}

/** Something that is wrong with a document, or with options. */
export interface Problem {
  /** The variant that it is in; null: the document as it is written. */
  variant: string | null;
  /** Its path, as `set` takes it; null when only its line is known. */
  path: string | null;
  /** Its line in the text, from 1; null when it is not in there. */
  line: number | null;
  /** What is wrong. */
  message: string;
  /** What would be right, where that can be guessed. */
  hint: string | null;
}

/** What came out of a play. Times are microseconds of true time. */
export interface Played {
  /** The document's title. */
  scenario: string;
  seed: number;
  /** When the play was broken off, because too much happened. */
  broken_off_us?: number;
  verdict: Verdict;
  grants: Grant[];
  writes: Write[];
  events: Event[];
  load: Load;
  why: Why[];
  otherwise: Otherwise[];
  /** SHA-256 of the trace, in hexadecimal; with `trace`. */
  digest?: string;
  /** The trace, a line a record; with `trace`. */
  trace?: string[];
}

/** What came out, in numbers. */
export interface Verdict {
  overlap_us: number;
  stale_accepted: number;
  corrupting: number;
  stale_rejected: number;
  valid_rejected: number;
  duplicates: number;
  token_regressions: number;
  lost_acks: number;
  stale_reads: number;
  gap_us: number;
  longest_takeover_us: number;
  spurious_losses: number;
  orphans: number;
}

/** A lease that the lock service granted. */
export interface Grant {
  at_us: number;
  worker: string;
  token: number | null;
  /** The deadline that it was granted with; null where leases have none. */
  until_us: number | null;
}

/** A write of a worker, as the store decided it. */
export interface Write {
  at_us: number;
  store: string;
  worker: string;
  token: number | null;
  accepted: boolean;
  /** Whether a newer grant had been issued by then. */
  stale: boolean;
  /** Why the store decided so. */
  reason: string;
}

/** Something that a person would tell. */
export interface Event {
  /** Its number, from 1. */
  n: number;
  at_us: number;
  process: string;
  kind: string;
  text: string;
}

/** What candidates and holders asked of the lock service. */
export interface Load {
  woken_at_most: number;
  renewals: number;
  renewals_per_second: number;
}

/** What led to a number of the verdict. */
export interface Why {
  /** The numbers that it is about. */
  lines: string[];
  /** How many more there are of the same. */
  others: number;
  chain: Link[];
}

/** An event that led to another. */
export interface Link {
  n: number;
  at_us: number;
  process: string;
  text: string;
  /** Whether whoever acted in the end could know of it; null of what it did itself, and where nobody acted. */
  known: boolean | null;
}

/** What would have come out otherwise. */
export interface Otherwise {
  what: string;
  /** The change, as `set` takes it. */
  set: Record<string, string>;
  /** What comes out then, in words. */
  sentence: string;
  /** The numbers that are others then. */
  verdict: Partial<Verdict>;
}

/** What came of a check. */
export interface Checked {
  /** Whether nothing fails. */
  passed: boolean;
  /** The document as it is written, then its variants. */
  plays: CheckedPlay[];
}

/** A play that was held to what is expected of it. */
export interface CheckedPlay {
  /** The variant; null: the document as it is written. */
  variant: string | null;
  passed: boolean;
  /** Empty when nothing is expected. */
  expectations: Expectation[];
}

/** How one expectation came out. */
export interface Expectation {
  what: string;
  passed: boolean;
  /** What is so instead; null when it is as expected. */
  got: string | null;
}
