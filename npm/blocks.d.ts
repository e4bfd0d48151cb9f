import type { FencePost } from "./fence-post.js";

/** Turns every block of code in the language `fencepost` below `root` into a figure. Done once for the page by itself. */
export function enliven(root?: ParentNode): FencePost[];
