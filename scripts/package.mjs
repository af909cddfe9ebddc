import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { inProject, megabytes, runMain, version } from "./lib/project.mjs";
import { writePackage } from "./package/pack.mjs";
import { setUp } from "./setup.mjs";

/** `npm run package [-- --out FILE]`: writes the npm package `cloudwright`, which runs as `npx cloudwright` from any folder. */
async function main() {
  const { values } = parseArgs({ options: { out: { type: "string" } }, strict: true });
  await setUp({ build: true });
  const out = resolve(values.out ?? inProject("dist", `cloudwright-${version()}.tgz`));
  const { digest, size, unpacked, count } = await writePackage(out);
  console.log(
    `Wrote ${out}: ${count} files, ${megabytes(size)} packed, ${megabytes(unpacked)} unpacked, ${digest}`,
  );
}

await runMain(main);
