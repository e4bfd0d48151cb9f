// Fencepost without a page, in Node: what it needs is read from beside this file.
import { readFile } from "node:fs/promises";
import { core } from "./functions.js";

export { ScenarioError } from "./functions.js";
export const { play, check, lint, schema } = core({
  program: () => readFile(new URL("./headless_bg.wasm", import.meta.url)),
  schema: () => readFile(new URL("./scenario.schema.json", import.meta.url), "utf8"),
});
