import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { hasPackages, linkWorkspaces, unlinkedWorkspaces } from "./installed.mjs";

const LINUX = { platform: "linux", arch: "x64" };
const WANTED = {
  "": { version: "0.1.0" },
  "node_modules/@cloudwright/core": { resolved: "packages/core", link: true },
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

it("accepts an install with everything that this platform needs", () => {
  expect(hasPackages({ wanted: WANTED, present: PRESENT, platform: LINUX })).toBe(true);
});

it.each([
  ["lacks a package", { "node_modules/for-linux": { version: "24.0.0" } }],
  ["has another version", { ...PRESENT, "node_modules/a": { version: "2.0.0" } }],
  ["lacks an optional package for this platform", { "node_modules/a": { version: "1.0.0" } }],
])("installs again where node_modules %s", (_, present) => {
  expect(hasPackages({ wanted: WANTED, present, platform: LINUX })).toBe(false);
});

describe("workspaces", () => {
  const NAME = "node_modules/@cloudwright/core";
  let folder: string;
  const unlinked = () => unlinkedWorkspaces({ wanted: WANTED, folder });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cloudwright-links-"));
    mkdirSync(join(folder, "packages/core"), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("finds one added after the install, and links it without an install", () => {
    expect(unlinked()).toEqual([NAME]);
    linkWorkspaces({ wanted: WANTED, folder });
    expect(unlinked()).toEqual([]);
    expect(realpathSync(join(folder, NAME))).toBe(realpathSync(join(folder, "packages/core")));
  });

  it("replaces a link that points elsewhere", () => {
    mkdirSync(join(folder, "node_modules/@cloudwright"), { recursive: true });
    symlinkSync("../../packages/moved", join(folder, NAME));
    expect(unlinked()).toEqual([NAME]);
    linkWorkspaces({ wanted: WANTED, folder });
    expect(unlinked()).toEqual([]);
  });

  it("ignores a workspace that this checkout does not have", () => {
    const wanted = { "node_modules/gone": { resolved: "packages/gone", link: true } };
    expect(unlinkedWorkspaces({ wanted, folder })).toEqual([]);
  });
});
