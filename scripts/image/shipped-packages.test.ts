import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { shippedPackages } from "./shipped-packages.mjs";

const PLACE = { folders: ["apps/web"], platform: "linux", arch: "x64" };

it.each<[string, object, string[]]>([
  [
    "what an app depends on and what that does, but not what tests it",
    {
      "apps/web": { dependencies: { a: "1" }, devDependencies: { tester: "1" } },
      "node_modules/a": { version: "1.0.0", dependencies: { b: "1" } },
      "node_modules/b": { version: "1.1.0" },
      "node_modules/tester": { version: "1.0.0", dev: true },
    },
    ["a@1.0.0", "b@1.1.0"],
  ],
  [
    "the copy that Node finds",
    {
      "apps/web": { dependencies: { a: "1", b: "2" } },
      "node_modules/a": { version: "1.0.0", dependencies: { b: "1" } },
      "node_modules/a/node_modules/b": { version: "1.1.0" },
      "apps/web/node_modules/b": { version: "2.0.0" },
      "node_modules/b": { version: "3.0.0" },
    },
    ["a@1.0.0", "b@1.1.0", "b@2.0.0"],
  ],
  [
    "through packages of the project, which are none of others",
    {
      "apps/web": { dependencies: { "@us/core": "1" } },
      "node_modules/@us/core": { link: true, resolved: "packages/core" },
      "packages/core": { dependencies: { "@them/a": "1" }, devDependencies: { tester: "1" } },
      "node_modules/@them/a": { version: "1.0.0" },
      "node_modules/tester": { version: "1.0.0" },
    },
    ["@them/a@1.0.0"],
  ],
  [
    "of optional ones those for this platform that are there",
    {
      "apps/web": { optionalDependencies: { here: "1", there: "1", absent: "1", other: "1" } },
      "node_modules/here": { version: "1.0.0", os: ["linux"], cpu: ["x64"] },
      "node_modules/there": { version: "1.0.0", os: ["linux"], cpu: ["arm64"] },
      "node_modules/other": { version: "1.0.0", os: ["!linux"] },
    },
    ["here@1.0.0"],
  ],
  [
    "no peers, which are the app's own if it uses them",
    {
      "apps/web": { dependencies: { a: "1" } },
      "node_modules/a": { version: "1.0.0", peerDependencies: { typescript: "7" } },
      "node_modules/typescript": { version: "7.0.0" },
    },
    ["a@1.0.0"],
  ],
])("lists %s", (_, packages, expected) => {
  expect([...shippedPackages(packages, PLACE)].sort()).toEqual(expected);
});

it("names a package that is missing from the lock file", () => {
  const packages = { "apps/web": { dependencies: { a: "1" } } };
  expect(() => shippedPackages(packages, PLACE)).toThrow(/apps\/web needs a, which is not in/);
});

it("contains what the product loads, and not what builds and tests it", () => {
  const lock = JSON.parse(
    readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"),
  );
  const shipped: string[] = [
    ...shippedPackages(lock.packages, { ...PLACE, folders: ["apps/controller", "apps/web"] }),
  ];
  const names = shipped.map((each) => each.slice(0, each.lastIndexOf("@")));
  expect(names).toEqual(expect.arrayContaining(["next", "react", "@kubernetes/client-node", "pg"]));
  for (const tool of ["vitest", "@playwright/test", "typescript", "@biomejs/biome", "mysql2"])
    expect(names).not.toContain(tool);
});
