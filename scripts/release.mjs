import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inProject, megabytes, PlainError, runMain } from "./lib/project.mjs";
import { buildRelease } from "./release/build-release.mjs";
import { releaseProblems, tagRelease } from "./release/check-release.mjs";
import { setUp } from "./setup.mjs";

const OPTIONS = { out: { type: "string" }, tag: { type: "boolean", default: false } };

/**
 * `npm run release -- VERSION [--out DIR] [--tag]`: checks that this checkout is that release, and builds everything that is
 * published into one folder. Nothing leaves this machine; `--tag` additionally tags the commit.
 */
async function main() {
  const { values, positionals } = parseArgs({
    options: OPTIONS,
    allowPositionals: true,
    strict: true,
  });
  const [version] = positionals;
  if (version === undefined || positionals.length > 1) {
    throw new PlainError("Usage: npm run release -- VERSION [--out DIR] [--tag]");
  }
  refuse(releaseProblems(version));
  await setUp({ build: true });
  const out = resolve(values.out ?? inProject("dist", `release-${version}`));
  for (const name of await buildRelease(out)) {
    console.log(`  ${name}: ${megabytes(statSync(join(out, name)).size)}`);
  }
  console.log(`Wrote ${out}.`);
  // Checks again, since what was built must be what is tagged.
  refuse(releaseProblems(version));
  console.log(
    values.tag
      ? `Tagged ${tagRelease(version)}. Push it, and publish the files as docs/releases.md says.`
      : "Not tagged: run it again with --tag once the files are as they should be.",
  );
}

function refuse(problems) {
  if (problems.length > 0) throw new PlainError(problems.join("\n"));
}

await runMain(main);
