// The types say what the JSON is: every key, and of which type. The declarations are few and plain, and so is their reader.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { check, lint, play } from "fencepost/core";
import { stories } from "fencepost/stories";

async function interfaces(file) {
  const text = await readFile(new URL(`./node_modules/fencepost/${file}`, import.meta.url), "utf8");
  const code = text.replace(/\/\*\*.*?\*\//gs, "");
  const found = {};
  for (const [, name, body] of code.matchAll(/^export interface (\w+) \{(.*?)^\}/gms)) {
    found[name] = [...body.matchAll(/^  (\w+)(\??): (.+);$/gm)].map(([, key, optional, type]) => ({
      key,
      optional: optional === "?",
      type,
    }));
  }
  return found;
}

/** Fails when a value is not of a type; notes the keys that were there. */
function judge(types, seen, value, type, where) {
  const array = /^(\w+)\[\]$/.exec(type);
  if (array) {
    assert.ok(Array.isArray(value), where);
    value.forEach((item, nth) => judge(types, seen, item, array[1], `${where}[${nth}]`));
  } else if (type.includes(" | ")) {
    const [of, orNull] = type.split(" | ");
    assert.equal(orNull, "null", `${where}: the reader knows no ${type}`);
    if (value !== null) judge(types, seen, value, of, where);
  } else if (type === "Record<string, string>") {
    Object.entries(value).forEach(([key, item]) => judge(types, seen, item, "string", `${where}.${key}`));
  } else if (type === "Partial<Verdict>") {
    const keys = types.Verdict.map(({ key }) => key);
    Object.keys(value).forEach((key) => assert.ok(keys.includes(key), `${where}.${key}`));
  } else if (types[type]) {
    for (const key of Object.keys(value)) {
      assert.ok(
        types[type].some((known) => known.key === key),
        `${where}.${key} is not in ${type}`,
      );
    }
    for (const { key, optional, type: of } of types[type]) {
      if (optional && value[key] === undefined) continue;
      judge(types, seen, value[key], of, `${where}.${key}`);
      seen.add(`${type}.${key}`);
    }
  } else {
    assert.equal(typeof value, type, where);
  }
}

test("the JSON of every story is what the types say", async () => {
  const types = await interfaces("core.d.ts");
  const seen = new Set();
  for (const { name, document } of stories) {
    judge(types, seen, await play(document, { trace: true }), "Played", name);
  }
  judge(types, seen, await check(stories[0].document), "Checked", "check");
  judge(types, seen, await lint("version = 1\nx = 2"), "Problem[]", "lint");
  const { Options, ...answers } = types;
  const all = Object.entries(answers).flatMap(([name, keys]) => keys.map(({ key }) => `${name}.${key}`));
  // No story is broken off.
  assert.deepEqual(
    all.filter((key) => !seen.has(key)),
    ["Played.broken_off_us"],
  );
});

test("the stories are what the types say", async () => {
  judge(await interfaces("stories.d.ts"), new Set(), stories, "Story[]", "stories");
});
