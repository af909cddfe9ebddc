import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { isInstalled } from "./installed.mjs";

const LINUX = { platform: "linux", arch: "x64" };
const WANTED = {
  "": { version: "0.1.0" },
  "node_modules/@cloudwright/core": { link: true },
  "packages/core": { version: "0.1.0" },
  "node_modules/a": { version: "1.0.0" },
  "node_modules/for-linux": { version: "24.0.0", optional: true, os: "linux", cpu: "x64" },
  "node_modules/for-darwin": { version: "24.0.0", optional: true, os: ["darwin"], cpu: ["x64"] },
  "node_modules/for-musl": {
    ...{ version: "1.0.0", optional: true },
    ...{ os: ["linux"], cpu: ["x64"], libc: ["musl"] },
  },
  "node_modules/for-whom-it-may": { version: "1.0.0", optional: true },
};
const PRESENT = {
  "node_modules/a": { version: "1.0.0" },
  "node_modules/for-linux": { version: "24.0.0" },
};

it("takes an install that has all that this platform needs", () => {
  expect(isInstalled({ wanted: WANTED, present: PRESENT, platform: LINUX })).toBe(true);
});

it.each([
  ["lacks a package", { "node_modules/for-linux": { version: "24.0.0" } }],
  ["has another version", { ...PRESENT, "node_modules/a": { version: "2.0.0" } }],
  ["lacks an optional package for this platform", { "node_modules/a": { version: "1.0.0" } }],
])("installs again where node_modules %s", (_, present) => {
  expect(isInstalled({ wanted: WANTED, present, platform: LINUX })).toBe(false);
});
