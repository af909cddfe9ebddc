import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { clusterMembers, numbered, roleOf } from "./members.mjs";

let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "cloudwright-members-"));
});

afterEach(() => rmSync(data, { recursive: true, force: true }));

it("keeps a single cluster in its usual place", () => {
  expect(clusterMembers({ data, clusters: 1, nodes: 12 })).toEqual([
    { data, clusters: 1, nodes: 12, ordinal: 1, name: "sandbox" },
  ]);
});

it("gives each further cluster a name and a folder of its own", () => {
  const members = clusterMembers({ data, clusters: 3 });
  expect(members.map(({ name }: { name: string }) => name)).toEqual([
    ...["sandbox", "sandbox-2", "sandbox-3"],
  ]);
  const folders = members.map((member: { data: string }) => member.data);
  expect(new Set(folders).size).toBe(3);
  expect(folders.every(existsSync)).toBe(true);
});

it.each([1, 2, 10])("knows what part %i of its kind does", (ordinal) => {
  expect(roleOf(numbered("cloud", ordinal))).toBe("cloud");
});
