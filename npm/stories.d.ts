/** A scenario that comes with Fencepost. */
export interface Story {
  /** Its name, as `fencepost run` takes it. */
  name: string;
  title: string;
  about: string;
  /** What it teaches, in a sentence. */
  moral: string;
  /** The document, in TOML. */
  document: string;
}

/** The built-in stories, by name. */
export const stories: Story[];
