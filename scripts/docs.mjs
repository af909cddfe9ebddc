import { parseArgs } from "node:util";
import { problemsOfSite } from "./docs/site-problems.mjs";
import { inProject, PlainError, runMain } from "./lib/project.mjs";

/** Below docs/.vitepress is what the site is made from. */
const SOURCE = inProject("docs");
const SITE = inProject("dist/docs");

/** `npm run docs`: builds the pages as a site into dist/docs, and refuses one with a dead link; with --serve it then shows it. */
async function main() {
  const { port, serve: isServed } = optionsOf(process.argv.slice(2));
  // Loaded late, so that a wrong option is refused at once.
  const { build, serve } = await import("vitepress");
  await build(SOURCE);
  const problems = problemsOfSite(SITE);
  if (problems.length > 0) throw new PlainError(problems.join("\n"));
  console.log(`Built the site in ${SITE}: every link leads somewhere.`);
  if (isServed) await serve({ root: SOURCE, port });
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
