import { mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeArchive } from "./image/archive.mjs";
import { rootFiles } from "./image/root-files.mjs";
import { writeRoot } from "./image/write-root.mjs";
import { inProject, PlainError, runMain } from "./lib/project.mjs";
import { setUp } from "./setup.mjs";

const OPTIONS = {
  name: { type: "string" },
  out: { type: "string" },
  root: { type: "string" },
};

/**
 * `npm run image`: the product's image from what this machine has, without a registry and without a container engine.
 *
 *     npm run image -- [--name NAME:TAG] [--out FILE]     an archive that is both OCI layout and Docker archive
 *     npm run image -- --root DIR                         the same files as a folder, for deploy/Containerfile
 */
async function main() {
  const { values } = parseArgs({ options: OPTIONS, strict: true });
  if (process.platform !== "linux") {
    throw new PlainError(
      "An image holds Linux programs: run this on Linux, or build deploy/Containerfile.",
    );
  }
  await setUp({ build: true });
  const layers = rootFiles();
  if (values.root !== undefined) {
    writeRoot(
      resolve(values.root),
      layers.flatMap(({ files }) => files),
    );
    console.log(`Wrote ${values.root}.`);
    return;
  }
  const { version } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const name = values.name ?? `cloudwright:${version}`;
  const out = resolve(
    values.out ?? inProject("dist", `cloudwright-${version}-${process.arch}.tar`),
  );
  mkdirSync(dirname(out), { recursive: true });
  const { digest, size, unpacked } = await writeArchive(out, { name, version, layers });
  console.log(
    `Wrote ${out}: ${name}, ${megabytes(size)} packed, ${megabytes(unpacked)} unpacked, ${digest}`,
  );
  for (const layer of layers)
    console.log(`  ${layer.title}: ${layer.files.length} files, ${megabytes(sum(layer.files))}`);
}

function sum(files) {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

await runMain(main);
