import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error The same.
import { nameAt } from "./lock.mjs";
// @ts-expect-error The same.
import { writeSbom } from "./sbom.mjs";

interface Entry {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-sbom-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("lists every package of the lock file with its hash, and its licence, without a network", () => {
  const [sbomPath, licencesPath] = writeSbom(join(folder, "new"));
  const sbom = JSON.parse(readFileSync(sbomPath, "utf8"));
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "cloudwright" } },
  });
  const hashes = new Map<string, string | undefined>(
    sbom.components.map((one: { "bom-ref": string; hashes?: { content: string }[] }) => [
      one["bom-ref"],
      one.hashes?.[0]?.content,
    ]),
  );
  const licences = readFileSync(licencesPath, "utf8").split("\n");
  for (const [name, hash] of locked()) {
    expect(hashes.get(name), name).toBe(hash);
    expect(licences, name).toContain(`- ${name}`);
  }
});

/** Returns the name and version, and the hash in hex, of each package in the lock file. */
function locked(): readonly (readonly [string, string])[] {
  const lock: { packages: Record<string, Entry> } = JSON.parse(
    readFileSync(inProject("package-lock.json"), "utf8"),
  );
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .map(([path, { version, integrity = "" }]) => {
      const hash = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
      return [`${nameAt(path)}@${version}`, hash];
    });
}
