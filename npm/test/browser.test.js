// What a browser gets, in Node: the README's example for browsers, with a `fetch` that answers from files.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import test from "node:test";

const home = new URL("./node_modules/fencepost/", import.meta.url);
const readme = await readFile(new URL("README.md", home), "utf8");

test("everything is fetched from beside the module, and the example says what comes out", async (context) => {
  const fetched = [];
  context.mock.method(globalThis, "fetch", async (url) => {
    fetched.push(url.pathname.split("/").pop());
    return new Response(await readFile(url), { headers: { "content-type": "application/wasm" } });
  });
  const appended = [];
  globalThis.document = { body: { append: (text) => appended.push(text) } };

  const [, code] = /^```html\n<script type="module">\n(.*?)^<\/script>$/ms.exec(readme);
  const file = new URL("./example-in-a-browser.js", import.meta.url);
  await writeFile(file, code);
  await import(file);
  assert.equal(appended.length, 1);
  assert.match(appended[0], /^\w.+\.$/);

  const { schema } = await import(new URL("core.js", home));
  assert.equal((await schema()).title, "Fencepost scenario, version 1");
  assert.deepEqual(fetched, ["headless_bg.wasm", "scenario.schema.json"]);
});

test("what cannot be fetched is said, and tried again at the next call", async (context) => {
  const answers = [new Response(null, { status: 404 }), new Response("{}")];
  context.mock.method(globalThis, "fetch", async () => answers.shift());
  const { schema } = await import(new URL("core.js", home));
  await assert.rejects(schema(), /scenario\.schema\.json cannot be fetched: 404/);
  assert.deepEqual(await schema(), {});
});
