import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "@babel/parser";
import { PlainError } from "../lib/project.mjs";
import { messagesIn } from "./source-messages.mjs";

const MANIFEST = "page_client-reference-manifest.js";

/** Which messages each page needs, for the server: it is read by server/language/page-messages.ts of the dashboard. */
export const PAGE_MESSAGES = "page-messages.json";

export function writePageMessages(build) {
  writeFileSync(join(build, PAGE_MESSAGES), `${JSON.stringify(pageMessages(build))}\n`);
}

/**
 * What a build of the dashboard has put into its scripts: `texts` are the messages that are worded in browsers, `chunks` which of
 * them (by their index) each script has, and `pages` which scripts the first load of each page has. It is read from what was
 * built, and not from the sources, because only the bundler knows what it left out and what it put together.
 */
export function pageMessages(build) {
  const shared = sharedChunks(build);
  const pages = Object.fromEntries(
    manifestsBelow(join(build, "server/app")).map((path) => pageOf(path, shared)),
  );
  const texts = new Map();
  const chunks = Object.fromEntries(
    chunksOf(build).map((path) => [
      chunkName(path),
      messagesOfChunk(path).map((text) => indexOf(texts, text)),
    ]),
  );
  const found = { texts: [...texts.keys()], chunks, pages };
  checkFound(found);
  return found;
}

function chunksOf(build) {
  const folder = join(build, "static/chunks");
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Most of what comes from packages has no tagged template, and parsing it would take seconds. */
function messagesOfChunk(path) {
  const code = readFileSync(path, "utf8");
  if (!/[\w$]\s*`/.test(code)) return [];
  return messagesIn(parse(code, { sourceType: "script" }).program);
}

function sharedChunks(build) {
  const { rootMainFiles, polyfillFiles } = JSON.parse(
    readFileSync(join(build, "build-manifest.json"), "utf8"),
  );
  return [...rootMainFiles, ...polyfillFiles];
}

function manifestsBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => basename(name) === MANIFEST)
    .toSorted()
    .map((name) => join(folder, name));
}

/** A manifest is a script that sets one entry: the page, and the scripts of each of its files. */
function pageOf(path, shared) {
  const found = {};
  runInNewContext(readFileSync(path, "utf8"), found);
  const [[page, { entryJSFiles }]] = Object.entries(found.__RSC_MANIFEST);
  const files = new Set([...shared, ...Object.values(entryJSFiles).flat()]);
  return [page.replace(/\/page$/, "") || "/", [...files].map(chunkName)];
}

/** Names are hashes of what is in the scripts, so the folder can be left out. */
function chunkName(path) {
  return basename(path, ".js");
}

function indexOf(texts, text) {
  if (!texts.has(text)) texts.set(text, texts.size);
  return texts.get(text);
}

/** If another version of Next builds otherwise, this must be noticed here: pages would be in English. */
function checkFound({ texts, chunks, pages }) {
  if (texts.length === 0) throw new PlainError("The scripts of the dashboard have no messages.");
  for (const [page, names] of Object.entries(pages)) {
    const missing = names.filter((name) => !(name in chunks));
    if (missing.length > 0) throw new PlainError(`${page} has unknown scripts: ${missing}.`);
  }
}
