import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript.
import { problemsOf, withMessages } from "./catalogs.mjs";
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

/** The placeholder of a value, named by its expression in code and by its number in a catalog. */
function slot(index: number | string): string {
  return ["$", "{", index, "}"].join("");
}

describe("the messages of a file", () => {
  it("are its texts, with placeholders for values, and on one line", () => {
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

  it("without a problem has every message, with the same values", () => {
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

  it("keeps its translations, adds new messages and drops old ones", () => {
    expect(withMessages({ "No node": "Aucun nœud", Old: "Vieux" }, texts)).toEqual({
      "No node": "Aucun nœud",
      [`${slot(0)} of ${slot(1)}`]: "",
    });
  });
});
