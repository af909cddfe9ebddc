import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { problemsOfSite } from "./docs/site-problems.mjs";
import { inProject, PlainError, ROOT, runMain } from "./lib/project.mjs";
import { hashOf, isFresh, removeStamp, writeStamp } from "./setup/stamp.mjs";

/** The site's configuration and theme are below docs/.vitepress. */
const SOURCE = inProject("docs");
const OUTPUT = "dist/docs";
const SITE = inProject(OUTPUT);
const STAMP = "dist/.stamp-docs";

/**
 * `npm run docs`: builds the pages as a site into dist/docs, and fails for dead links; with --serve it then shows it. A site that
 * was built successfully from the same pages is not built again.
 */
async function main() {
  const { port, serve: isServed } = optionsOf(process.argv.slice(2));
  // Loaded after the options are checked, so that an invalid one is refused immediately.
  const { build, serve } = await import("vitepress");
  if (!isFresh({ stamp: STAMP, output: OUTPUT, hash: siteHash() })) {
    removeStamp(STAMP);
    await build(SOURCE);
    const problems = problemsOfSite(SITE);
    if (problems.length > 0) throw new PlainError(problems.join("\n"));
    writeStamp(STAMP, siteHash());
  }
  console.log(`Built the site in ${SITE}: every link leads somewhere.`);
  if (isServed) await serve({ root: SOURCE, port });
}

/** Hashes everything that the site is built from; files that pages link to are found in the site itself, which contains their texts. */
function siteHash() {
  const pages = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  const linked = filesBelow(join(SITE, "files")).map((file) => file.replace(/\.txt$/, ""));
  return hashOf([
    ...["docs", "scripts/docs", "scripts/docs.mjs", "apps/web/src/app/icon.svg"],
    ...["package-lock.json", ...pages, ...linked],
  ]);
}

/** Lists paths relative to the folder, in a stable order. */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

function optionsOf(args) {
  try {
    const options = { serve: { type: "boolean" }, port: { type: "string", default: "4173" } };
    const { values } = parseArgs({ args, options });
    return { serve: values.serve === true, port: Number(values.port) };
  } catch (error) {
    throw new PlainError(`${error.message} Use npm run docs -- [--serve] [--port N].`);
  }
}

await runMain(main);
