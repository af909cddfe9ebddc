import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { inProject, PlainError, runMain } from "./lib/project.mjs";
import { dependenciesPage, PAGE, problemsOfReasons } from "./supply-chain/dependencies-page.mjs";
import { problemsOfLock } from "./supply-chain/lock.mjs";
import { writeSbom } from "./supply-chain/sbom.mjs";
import { checkSignatures } from "./supply-chain/signatures.mjs";
import { countingLine } from "./test/count.mjs";

/** The commands `npm run NAME` about third-party packages. They use only Node built-ins and npm, so they need no install. */
const COMMANDS = { check, dependencies, sbom, signatures };

async function main() {
  const [name = "", ...args] = process.argv.slice(2);
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new PlainError(`"${name}" is no command: there are ${Object.keys(COMMANDS).join(", ")}.`);
  }
  COMMANDS[name](...args);
}

/** Throws PlainError with a sentence for each problem. */
function check() {
  const lock = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));
  const problems = [...problemsOfLock(lock), ...problemsOfReasons()];
  if (readFileSync(inProject(PAGE), "utf8") !== dependenciesPage()) {
    problems.push(`${PAGE} is not what the package.json files say: run npm run dependencies.`);
  }
  if (problems.length > 0) throw new PlainError(problems.join("\n"));
  console.log("Every package has its hash, every dependency its reason.");
}

function dependencies() {
  writeFileSync(inProject(PAGE), dependenciesPage());
  console.log(`Wrote ${PAGE}.`);
}

function sbom(folder = inProject("sbom")) {
  for (const path of writeSbom(resolve(folder))) console.log(`Wrote ${path}.`);
}

function signatures() {
  const { counts, lines } = checkSignatures();
  for (const line of lines) console.log(line);
  console.log(countingLine(counts));
  if (counts.failed > 0) process.exitCode = 1;
}

await runMain(main);
