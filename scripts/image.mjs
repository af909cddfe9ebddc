import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { requireLinux, writeImage } from "./image/archive.mjs";
import { requireSameBuild } from "./image/other-build.mjs";
import { rootFiles } from "./image/root-files.mjs";
import { writeRoot } from "./image/write-root.mjs";
import { inProject, megabytes, runMain, version } from "./lib/project.mjs";
import { setUp } from "./setup.mjs";

const OPTIONS = {
  name: { type: "string" },
  out: { type: "string" },
  root: { type: "string" },
  twice: { type: "boolean" },
};

/**
 * `npm run image`: the product's image from what this machine has, without a registry and without a container engine.
 *
 *     npm run image -- [--name NAME:TAG] [--out FILE]     an archive that is both OCI layout and Docker archive
 *     npm run image -- --root DIR                         the same files as a folder, for deploy/Containerfile
 *     npm run image -- --twice                            the archive, built once more elsewhere, which must give the same one
 */
async function main() {
  const { values } = parseArgs({ options: OPTIONS, strict: true });
  requireLinux();
  await setUp({ build: true });
  if (values.root !== undefined) {
    const files = rootFiles().flatMap((layer) => layer.files);
    writeRoot(resolve(values.root), files);
    console.log(`Wrote ${values.root}.`);
    return;
  }
  const out = resolve(
    values.out ?? inProject("dist", `cloudwright-${version()}-${process.arch}.tar`),
  );
  mkdirSync(dirname(out), { recursive: true });
  const { name, digest, size, unpacked, layers } = await writeImage(out, values.name);
  console.log(
    `Wrote ${out}: ${name}, ${megabytes(size)} packed, ${megabytes(unpacked)} unpacked, ${digest}`,
  );
  for (const layer of layers)
    console.log(`  ${layer.title}: ${layer.files.length} files, ${megabytes(sum(layer.files))}`);
  if (values.twice) {
    await requireSameBuild(layers.flatMap(({ files }) => files));
    console.log("Built once more in another folder, every file is the same.");
  }
}

function sum(files) {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

await runMain(main);
