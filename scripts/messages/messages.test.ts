import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript.
import { problemsOf, withMessages } from "./catalogs.mjs";
// @ts-expect-error The same.
import { pageMessages } from "./page-messages.mjs";
// @ts-expect-error The same.
import { messagesOf } from "./source-messages.mjs";

const folder = mkdtempSync(join(tmpdir(), "cloudwright-messages-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Message {
  readonly text: string;
  readonly isAtLoad: boolean;
}

function found(code: string): readonly Message[] {
  const path = join(folder, "part.tsx");
  writeFileSync(path, code);
  const messages: readonly Message[] = messagesOf(path);
  return messages.map(({ text, isAtLoad }) => ({ text, isAtLoad }));
}

/** The place of a value, in code by its expression and in a catalog by its number. */
function slot(index: number | string): string {
  return ["$", "{", index, "}"].join("");
}

describe("the messages of a file", () => {
  it("are what it words, with places for values, and in one line", () => {
    const code = [
      `export const a = (n: number) => t\`${slot("n")} of ${slot("b(n)")} nodes\`;`,
      "export const C = () => <p title={t`Two\n    lines`}>{mixed`Ask " +
        slot("<b>{t`her`}</b>") +
        ".`}</p>;",
      "const other = () => css`none`;",
    ];
    expect(found(code.join("\n")).map(({ text }) => text)).toEqual([
      `${slot(0)} of ${slot(1)} nodes`,
      "Two lines",
      `Ask ${slot(0)}.`,
      "her",
    ]);
  });

  it.each([
    ["const A = t`a`;", true],
    ["const A = { label: t`a` };", true],
    ["const A = { ...{ get label() { return t`a`; } } };", true],
    ["const A = { get label() { return t`a`; } };", false],
    ["const A = { ...{ label: () => t`a` } };", false],
    ["const A = worded({ a: () => t`a` });", false],
    ["function a() { return { ...{ get label() { return t`a`; } } }; }", false],
  ])("in %s it is worded while the module is loaded: %j", (code, isAtLoad) => {
    expect(found(code)).toEqual([{ text: "a", isAtLoad }]);
  });
});

describe("a catalog", () => {
  const texts = ["No node", `${slot(0)} of ${slot(1)}`];

  it("without a fault has every message, with the same values", () => {
    const catalog = {
      "No node": "Aucun nœud",
      [`${slot(0)} of ${slot(1)}`]: `${slot(1)}, ${slot(0)}`,
    };
    expect(problemsOf("fr", catalog, texts)).toEqual([]);
  });

  it.each([
    [{ "No node": "Aucun nœud" }, /“.* of .*” is not translated/],
    [{ "No node": "", [`${slot(0)} of ${slot(1)}`]: `${slot(0)}, ${slot(1)}` }, /“No node” is not/],
    [{ "No node": "x", [`${slot(0)} of ${slot(1)}`]: `${slot(0)}` }, /has other placeholders than/],
    [
      { "No node": "x", [`${slot(0)} of ${slot(1)}`]: `${slot(0)}${slot(1)}`, Old: "Vieux" },
      /“Old” is no message any more/,
    ],
  ])("%j has one", (catalog, fault) => {
    const problems = problemsOf("fr", catalog, texts);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(fault);
  });

  it("keeps its translations, gets what is new and loses what is old", () => {
    expect(withMessages({ "No node": "Aucun nœud", Old: "Vieux" }, texts)).toEqual({
      "No node": "Aucun nœud",
      [`${slot(0)} of ${slot(1)}`]: "",
    });
  });
});

describe("the messages of a build", () => {
  const build = join(folder, "build");
  const manifest = (page: string, ...chunks: readonly string[]) => {
    const path = join(build, "server/app", page);
    mkdirSync(path, { recursive: true });
    const files = { "[project]/layout": ["static/chunks/shell.js"], "[project]/page": chunks };
    const entry = `globalThis.__RSC_MANIFEST["${join(page, "page")}"] = ${JSON.stringify({ entryJSFiles: files })};`;
    writeFileSync(
      join(path, "page_client-reference-manifest.js"),
      `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};${entry}`,
    );
  };

  beforeEach(() => {
    rmSync(build, { recursive: true, force: true });
    mkdirSync(join(build, "static/chunks"), { recursive: true });
    const shared = { rootMainFiles: ["static/chunks/react.js"], polyfillFiles: [] };
    writeFileSync(join(build, "build-manifest.json"), JSON.stringify(shared));
    const scripts = {
      react: "const css = `none`;",
      shell: "o.t`Held`;",
      nodes: `const f = (a) => [o.f\`${slot("a")} of\n  all\`, o.t\`Held\`];`,
      dialog: "e.t`Confirm`;",
    };
    for (const [name, code] of Object.entries(scripts)) {
      writeFileSync(join(build, "static/chunks", `${name}.js`), code);
    }
  });

  it("are those of each script, and each page has its own scripts and what all share", () => {
    manifest("/", "static/chunks/shell.js");
    manifest("/c/[cluster]/nodes", "static/chunks/nodes.js");
    expect(pageMessages(build)).toEqual({
      texts: ["Confirm", `${slot(0)} of all`, "Held"],
      chunks: { dialog: [0], nodes: [1, 2], react: [], shell: [2] },
      pages: {
        "/": ["react", "shell"],
        "/c/[cluster]/nodes": ["react", "shell", "nodes"],
      },
    });
  });

  it("are not guessed if a page names a script that was not built", () => {
    manifest("/", "static/chunks/elsewhere.js");
    expect(() => pageMessages(build)).toThrow("/ has unknown scripts: elsewhere.");
  });
});
