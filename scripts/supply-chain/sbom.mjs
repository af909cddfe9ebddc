import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlainError, ROOT } from "../lib/project.mjs";
import { npmCommand } from "../setup/run-tool.mjs";
import { licencePage, licencesOf } from "./licences.mjs";

const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * The software bill of materials as npm makes it (CycloneDX JSON): every package of the lock file with its hash, those for other
 * platforms included. Needs neither a network nor an install.
 */
function readSbom() {
  const { command, before } = npmCommand();
  const flags = ["--sbom-format=cyclonedx", "--sbom-type=application"];
  const text = execFileSync(
    command,
    [...before, "sbom", ...flags, "--package-lock-only", "--offline"],
    {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: LARGEST_BYTES,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  return JSON.parse(text);
}

/** Writes the SBOM and the licence list into a folder; answers their paths. Throws PlainError for a licence that is not allowed. */
export function writeSbom(folder) {
  const sbom = readSbom();
  // npm names it after the folder of the checkout.
  sbom.metadata.component.name = "cloudwright";
  const licences = licencesOf(othersIn(sbom));
  const problems = licences.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new PlainError(problems.join("\n"));
  mkdirSync(folder, { recursive: true });
  const paths = [join(folder, "cloudwright.cdx.json"), join(folder, "licences.md")];
  writeFileSync(paths[0], `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(paths[1], licencePage(licences));
  return paths;
}

/** Workspaces are ours, under the licence of the project. */
function othersIn({ components }) {
  return components.filter((component) => !component["bom-ref"].startsWith("@cloudwright/"));
}
