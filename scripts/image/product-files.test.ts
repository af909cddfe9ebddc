import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { billOfMaterials, filesIn } from "./product-files.mjs";

/** npm reads the whole lock file for a bill of materials, which takes long. */
const NPM_LISTS_MS = 180_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-tree-"));
  mkdirSync(join(folder, "real", "lib"), { recursive: true });
  writeFileSync(join(folder, "real", "lib", "index.js"), "");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("lists files by their paths within a folder", () => {
  symlinkSync("lib/index.js", join(folder, "real", "main.js"));
  expect([...(filesIn(folder) as string[])].sort()).toEqual(["real/lib/index.js", "real/main.js"]);
});

it("refuses a link to a folder, whose content would be packed twice or not at all", () => {
  symlinkSync("real", join(folder, "link"));
  expect(() => filesIn(folder)).toThrow(/\/link is a link to a folder: what is pa/);
});

it(
  "lists what is in the product, and nothing that only builds or tests it",
  () => {
    const [sbom] = billOfMaterials();
    const { components, dependencies } = JSON.parse(String(sbom.content()));
    const names: string[] = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["next", "react", "@kubernetes/client-node"]));
    for (const tool of ["vitest", "@playwright/test", "typescript", "sharp", "@cloudwright/e2e"])
      expect(names).not.toContain(tool);
    const refs = new Set(components.map((each: { "bom-ref": string }) => each["bom-ref"]));
    expect(dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn)).toSatisfy(
      (all: string[]) => all.length > 0 && all.every((ref) => refs.has(ref)),
    );
  },
  NPM_LISTS_MS,
);
