// Fencepost without a page, in browsers: what it needs is fetched from beside this file.
import { core } from "./functions.js";

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be fetched: ${response.status} ${response.statusText}`);
  return response;
}

export { ScenarioError } from "./functions.js";
export const { play, check, lint, schema } = core({
  program: () => fetched(new URL("./headless_bg.wasm", import.meta.url)),
  schema: async () => (await fetched(new URL("./scenario.schema.json", import.meta.url))).text(),
});
