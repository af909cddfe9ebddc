import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlainError, ROOT } from "../lib/project.mjs";
import { npmCommand } from "../setup/run-tool.mjs";
import { licencePage, licencesOf } from "./licences.mjs";

const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Returns npm's software bill of materials (CycloneDX JSON): every package of the lock file with its hash, including those for
 * other platforms. Needs neither a network nor an install.
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

/** Writes the SBOM and the licence list into a folder; returns their paths. Throws PlainError for a licence that is not allowed. */
export function writeSbom(folder) {
  const sbom = readSbom();
  // npm uses the name of the checkout's folder.
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

/** Leaves out workspaces, which are ours and under the project's licence. */
function othersIn({ components }) {
  return components.filter((component) => !component["bom-ref"].startsWith("@cloudwright/"));
}
