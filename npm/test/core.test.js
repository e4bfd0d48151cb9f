// The core as it is installed, against the command line of the same sources. Run by `cargo xtask dist`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { check, lint, play, schema, ScenarioError } from "fencepost/core";
import { stories } from "fencepost/stories";

const root = process.env.FENCEPOST_ROOT;
const billing = stories.find((story) => story.name === "billing").document;

function commandLine(...args) {
  const cargo = ["run", "--quiet", "--package", "fencepost-cli", "--", ...args];
  return execFileSync("cargo", cargo, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
}

test("a play is what the command line reports", async () => {
  const native = JSON.parse(commandLine("run", "billing", "--format", "json", "--trace"));
  assert.deepEqual(await play(billing, { trace: true }), native);
  for (const format of ["markdown", "table"]) {
    assert.equal(await play(billing, { format }), commandLine("run", "billing", "--format", format));
  }
});

test("options change a play as the command line does", async () => {
  const args = ["--variant", "unfenced", "--set", "worker.A.margin=3s", "--seed", "7", "--format", "json"];
  const options = { variant: "unfenced", set: { "worker.A.margin": "3s" }, seed: 7 };
  assert.deepEqual(await play(billing, options), JSON.parse(commandLine("run", "billing", ...args)));
});

test("every trace has its golden digest", async () => {
  const golden = await readFile(`${root}/tests/golden/digests.txt`, "utf8");
  for (const line of golden.trimEnd().split("\n")) {
    const [digest, name] = line.split(" ");
    const [story, variant] = name.split("/");
    const { document } = stories.find(({ name }) => name === story);
    assert.equal((await play(document, { variant, trace: true })).digest, digest, name);
  }
});

test("a document is also JSON, or an object", async () => {
  const object = {
    version: 1,
    title: "One worker",
    horizon: "10s",
    lock: { kind: "lab" },
    worker: [{ name: "A", program: [{ acquire: "job" }, { release: "job" }] }],
  };
  const played = await play(object);
  assert.equal(played.grants.length, 1);
  assert.deepEqual(await play(JSON.stringify(object)), played);
});

test("expectations are held", async () => {
  const good = await check(billing);
  assert.equal(good.passed, true);
  assert.deepEqual(
    good.plays.slice(0, 2).map((play) => play.variant),
    [null, "unfenced"],
  );
  assert.ok(good.plays.every((play) => play.passed && play.expectations.length > 0));
  const bad = await check(billing.replace("stale_rejected = 1", "stale_rejected = 2"));
  assert.equal(bad.passed, false);
  const failures = bad.plays[0].expectations.filter((expectation) => !expectation.passed);
  assert.deepEqual(failures, [{ what: "stale_rejected = 2", passed: false, got: "stale_rejected = 1" }]);
});

test("what is wrong is listed, with its place and the right word", async () => {
  assert.deepEqual(await lint(billing), []);
  const problem = { variant: null, path: "lock.tll", message: "there is no such key", hint: "did you mean `ttl`?" };
  const [{ line, ...found }] = await lint(billing.replace(/^ttl\b/m, "tll"));
  assert.deepEqual(found, problem);
  assert.equal(billing.split("\n")[line - 1].startsWith("ttl"), true);
  const [inVariant] = await lint(
    billing.replace('"store.billing.kind" = "unfenced"', '"store.billing.kind" = "unfensed"'),
  );
  assert.equal(inVariant.variant, "unfenced");
  assert.equal((await lint("version = "))[0].line, 1);
});

test("what cannot be played is thrown with its problems", async () => {
  for (const [document, options, message] of [
    ["title = 1", {}, /^line 1, title: /],
    [billing, { variant: "unfensed" }, /^variant: there is no variant `unfensed`; did you mean `unfenced`\?$/],
    [billing, { varient: "unfenced" }, /^options.varient: there is no such option; did you mean `variant`\?$/],
    [billing, { set: { "worker.A.marjin": "3s" } }, /^worker.A.marjin: .*did you mean `margin`\?$/],
    [billing, { set: { "worker.A.margin": null } }, /^options.set.worker.A.margin: /],
    [billing, { seed: 0.5 }, /^options.seed: a whole number .* is wanted here, not 0.5$/],
    [billing, { format: "jsn" }, /^options.format: there is no format `jsn`; did you mean `json`\?$/],
    [billing, { format: "table", trace: true }, /^options.trace: /],
  ]) {
    await assert.rejects(play(document, options), (error) => {
      assert.ok(error instanceof ScenarioError && error instanceof Error);
      assert.match(error.message.split("\n")[0], message);
      assert.ok(error.problems.length > 0 && error.problems.every((problem) => problem.message));
      return true;
    });
  }
  await assert.rejects(check("title = 1"), ScenarioError);
  await assert.rejects(play(undefined), {
    name: "TypeError",
    message: "a document is a text or an object, not undefined",
  });
});

test("the schema is that of the command line", async () => {
  assert.deepEqual(await schema(), JSON.parse(commandLine("schema")));
});

test("the stories are those of the command line", async () => {
  const of = ({ name, title, about, moral }) => ({ name, title, about, moral });
  const byName = (one, other) => (one.name < other.name ? -1 : 1);
  const native = JSON.parse(commandLine("stories", "--format", "json"));
  assert.deepEqual(stories.map(of).sort(byName), native.map(of).sort(byName));
});
