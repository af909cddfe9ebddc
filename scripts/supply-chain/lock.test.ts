import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error The same.
import { problemsOfLock } from "./lock.mjs";

const HASH = `sha512-${"A".repeat(86)}==`;

it("finds a hash for every package of the lock file, and no address", () => {
  const lock = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages).length).toBeGreaterThan(400);
  expect(problemsOfLock(lock)).toEqual([]);
});

it.each([
  ["no hash", { version: "1.0.0" }, /^@s\/a@1\.0\.0 has no sha512 hash/],
  ["a weak hash", { version: "1.0.0", integrity: "sha1-AAAA" }, /has no sha512 hash/],
  [
    "an address",
    { version: "1.0.0", integrity: HASH, resolved: "https://registry.example/a.tgz" },
    /has an address/,
  ],
])("names a package that has %s", (_, entry, sentence) => {
  const problems = problemsOfLock({ packages: { "node_modules/b/node_modules/@s/a": entry } });
  expect(problems).toEqual([expect.stringMatching(sentence)]);
});

it("requires neither for workspaces", () => {
  const packages = {
    "": { version: "0.1.0" },
    "node_modules/@cloudwright/core": { resolved: "packages/core", link: true },
    "packages/core": { version: "0.1.0" },
  };
  expect(problemsOfLock({ packages })).toEqual([]);
});
