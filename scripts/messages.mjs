import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inProject, PlainError, runMain } from "./lib/project.mjs";
import {
  CATALOGS,
  problemsOf,
  readCatalog,
  readServerOnly,
  withMessages,
  writeCatalog,
  writeServerOnly,
} from "./messages/catalogs.mjs";
import { messagesOf } from "./messages/source-messages.mjs";

const SOURCES = ["apps/web/src", "packages/core/src/model", "packages/store/src"];
/** Texts in these folders never reach a browser. */
const ON_SERVER = /^(apps\/web\/src\/server|packages\/store\/src\/(?!views\/))/;
/** The maximum number of names listed per kind; the rest follows once these are done. */
const MOST_NAMED = 20;

/** `npm run messages`: updates the catalogs from the code, and lists what is left to translate. `check` only reports. */
async function main() {
  const messages = SOURCES.flatMap(sourcesIn).flatMap(messagesOf);
  const texts = [...new Set(messages.map(({ text }) => text))];
  const serverOnly = serverOnlyOf(messages);
  if (process.argv[2] !== "check") {
    writeServerOnly(serverOnly);
    for (const language of CATALOGS) {
      writeCatalog(language, withMessages(readCatalog(language), texts));
    }
  }
  const kinds = [
    messages.filter(({ isAtLoad }) => isAtLoad).map(tooEarly),
    JSON.stringify(serverOnly) === JSON.stringify(readServerOnly())
      ? []
      : ["The list of messages that only the server says is out of date; run npm run messages."],
    ...CATALOGS.map((language) => problemsOf(language, readCatalog(language), texts)),
  ];
  for (const problems of kinds) print(problems);
  const count = kinds.flat().length;
  if (count > 0) throw new PlainError(`${count} faults in the messages of the dashboard.`);
  console.log(`${texts.length} messages, each in ${CATALOGS.length + 1} languages.`);
}

function sourcesIn(folder) {
  return readdirSync(inProject(folder), { recursive: true })
    .filter((name) => /(?<!\.d|\.test)\.tsx?$/.test(name))
    .map((name) => inProject(join(folder, name)));
}

/** Sorted, so that two changes rarely conflict. */
function serverOnlyOf(messages) {
  const isOnPage = new Set(
    messages.filter(({ place }) => !ON_SERVER.test(place)).map(({ text }) => text),
  );
  return [...new Set(messages.map(({ text }) => text))]
    .filter((text) => !isOnPage.has(text))
    .toSorted((left, right) => (left < right ? -1 : 1));
}

function tooEarly({ text, place }) {
  return `${place}: “${text}” is worded while its module is loaded; word it in a function.`;
}

function print(problems) {
  for (const problem of problems.slice(0, MOST_NAMED)) console.error(problem);
  const more = problems.length - MOST_NAMED;
  if (more > 0) console.error(`… and ${more} more of these.`);
}

await runMain(main);
