import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { tarOf, writeImage } from "../image/archive.mjs";
import { billOfMaterials, filesIn, ofDisk, sorted } from "../image/product-files.mjs";
import { inProject, PlainError, version } from "../lib/project.mjs";
import { writePackage } from "../package/pack.mjs";
import { npmCommand } from "../setup/run-tool.mjs";

const CHART = "deploy/chart";
const SUMS = "SHA256SUMS";

/**
 * Writes everything that a release consists of into a new folder, with checksums of all files. Returns their names. Throws
 * PlainError if the folder exists, whose content would be taken for part of this release.
 */
export async function buildRelease(out) {
  if (existsSync(out)) {
    throw new PlainError(`${out} is there already: remove it, or name another folder with --out.`);
  }
  mkdirSync(out, { recursive: true });
  await writePackage(join(out, `cloudwright-${version()}.tgz`));
  await writeImage(join(out, `cloudwright-${version()}-${process.arch}.tar`));
  await writeChart(join(out, `cloudwright-chart-${version()}.tgz`));
  packProviderApi(out);
  for (const { path, content } of billOfMaterials()) writeFileSync(join(out, path), content());
  return writeSums(out);
}

/** Like `helm package`, but reproducible; `helm install` accepts it under any name. */
async function writeChart(file) {
  const files = filesIn(inProject(CHART)).map((path) =>
    ofDisk(`cloudwright/${path}`, inProject(CHART, path)),
  );
  writeFileSync(file, gzipSync(await tarOf(sorted(files)), { level: 9 }));
}

function packProviderApi(out) {
  const { command, before } = npmCommand();
  const args = ["pack", "--silent", "--pack-destination", out];
  execFileSync(command, [...before, ...args], {
    cwd: inProject("packages/provider-api"),
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** In the format of `sha256sum --check`. */
function writeSums(out) {
  const names = readdirSync(out).sort();
  const lines = names.map((name) => {
    const sum = createHash("sha256")
      .update(readFileSync(join(out, name)))
      .digest("hex");
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(out, SUMS), lines.join(""));
  return [...names, SUMS];
}
