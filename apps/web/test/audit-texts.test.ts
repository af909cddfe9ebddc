import { globSync, readFileSync } from "node:fs";
import { speak } from "@cloudwright/core/model/language/text";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import french from "../messages/fr.json" with { type: "json" };
import { accountWhy, controllerWhy, wordedEntries } from "../src/server/language/audit-texts.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

beforeEach(() => speak({ language: "fr", catalogOf: () => french }));
afterEach(() => speak({ language: "en", catalogOf: () => undefined }));

describe("the reasons in the audit log", () => {
  it.each(recordedWhys())("%s", (why) => {
    expect(accountWhy(why)).toBeDefined();
    expect(accountWhy(why)).not.toBe(why);
  });

  it("text that a user wrote stays unchanged", () => {
    expect(accountWhy("INC-12: the quota is raised")).toBeUndefined();
  });

  it("an entry has the translation beside the log's text, and a user's entry has none", () => {
    const [ended, written] = wordedEntries([
      { why: "Signed out", actor: { kind: "controller", id: "c", name: "c" } },
      { why: "INC-12", actor: { kind: "person", id: "p", name: "p" } },
    ]);
    expect(ended).toMatchObject({ why: "Signed out", said: french["Signed out"] });
    expect(written).not.toHaveProperty("said");
  });

  it("a requested action's reason names its requester and their reason", () => {
    expect(controllerWhy("Ana@example.test asked for it: INC-12.")).toBe(
      "Ana@example.test l’a demandé : INC-12.",
    );
  });
});

/** Returns the texts that the ledger gives an entry if nobody gives a reason. */
function recordedWhys(): readonly string[] {
  const files = globSync("packages/store/src/{users,incidents,webhooks,intents,saved-views}/*.ts", {
    cwd: ROOT,
  });
  const found = files
    .filter((file) => !file.includes(".test."))
    .flatMap((file) => [...readFileSync(`${ROOT}${file}`, "utf8").matchAll(WHY)]);
  expect(found.length).toBeGreaterThan(20);
  return [...new Set(found.map(([, text = ""]) => text))];
}

const WHY = /\bwhy(?:: why \?\?|:| =) "([A-Z][^"]+)"/g;
