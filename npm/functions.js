// The functions of the core, whatever they are loaded from. Their types are in core.d.ts.
import start, * as program from "./headless.js";

/** What is thrown for a document, or for options, with which nothing can be done. */
export class ScenarioError extends Error {
  name = "ScenarioError";

  constructor(problems) {
    super(problems.map(line).join("\n"));
    this.problems = problems;
  }
}

/** A problem as the command line writes it. */
function line({ variant, path, line, message, hint }) {
  const where = [line && `line ${line}`, path].filter(Boolean).join(", ");
  return `${variant ? `[${variant}] ` : ""}${where}: ${message}${hint ? `; ${hint}` : ""}`;
}

/** `load` has what fetches or reads the program and the schema. The program is loaded at the first call that needs it. */
export function core(load) {
  let ready;
  function started() {
    ready ??= start({ module_or_path: load.program() }).catch((error) => {
      // Whoever calls again tries again.
      ready = undefined;
      throw error;
    });
    return ready;
  }

  async function call(name, document, ...rest) {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    if (text === undefined) throw new TypeError(`a document is a text or an object, not ${document}`);
    await started();
    try {
      return program[name](text, ...rest);
    } catch (problems) {
      throw typeof problems === "string" ? new ScenarioError(JSON.parse(problems)) : problems;
    }
  }

  return {
    async play(document, options = {}) {
      const report = await call("play", document, JSON.stringify(options));
      return (options.format ?? "json") === "json" ? JSON.parse(report) : report;
    },
    check: async (document) => JSON.parse(await call("check", document)),
    lint: async (document) => JSON.parse(await call("lint", document)),
    schema: async () => JSON.parse(await load.schema()),
  };
}
