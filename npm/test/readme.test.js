// The examples of the README are run as they stand there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import test from "node:test";

const readme = await readFile(new URL("./node_modules/fencepost/README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
const printed = ["0 or 5000 invoices charged twice\n", "true stale_accepted = 0\n5 lock.tll did you mean `ttl`?\n"];

test("there are as many examples as answers", () => assert.equal(examples.length, printed.length));

for (const [nth, code] of examples.entries()) {
  test(`example ${nth + 1} prints what it says`, async () => {
    const file = new URL(`./example-${nth + 1}.js`, import.meta.url);
    await writeFile(file, code);
    assert.equal(execFileSync(process.execPath, [file.pathname], { encoding: "utf8" }), printed[nth]);
  });
}
