import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inProject, PlainError, runMain } from "./lib/project.mjs";
import {
  CATALOGS,
  problemsOf,
  readCatalog,
  withMessages,
  writeCatalog,
} from "./messages/catalogs.mjs";
import { messagesOf } from "./messages/source-messages.mjs";

const SOURCES = ["apps/web/src", "packages/core/src/model"];

/** `npm run messages`: brings the catalogs in step with the code, and says what is left to translate. `check`: only says it. */
async function main() {
  const messages = SOURCES.flatMap(sourcesIn).flatMap(messagesOf);
  const texts = [...new Set(messages.map(({ text }) => text))];
  if (process.argv[2] !== "check") {
    for (const language of CATALOGS) {
      writeCatalog(language, withMessages(readCatalog(language), texts));
    }
  }
  const problems = [
    ...messages.filter(({ isAtLoad }) => isAtLoad).map(tooEarly),
    ...CATALOGS.flatMap((language) => problemsOf(language, readCatalog(language), texts)),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) throw new PlainError(`${problems.length} faults in messages.`);
  console.log(`${texts.length} messages, each in ${CATALOGS.length + 1} languages.`);
}

function sourcesIn(folder) {
  return readdirSync(inProject(folder), { recursive: true })
    .filter((name) => /(?<!\.d|\.test)\.tsx?$/.test(name))
    .map((name) => inProject(join(folder, name)));
}

function tooEarly({ text, place }) {
  return `${place}: “${text}” is worded while its module is loaded; word it in a function.`;
}

await runMain(main);
