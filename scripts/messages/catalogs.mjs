import { readFileSync, writeFileSync } from "node:fs";
import { inProject } from "../lib/project.mjs";

/** The languages besides English, which is in the code. */
export const CATALOGS = ["fr", "ja", "zh"];

export function readCatalog(language) {
  return JSON.parse(readFileSync(pathOf(language), "utf8"));
}

/** Sorted by the English text, so that two changes rarely conflict. */
export function writeCatalog(language, catalog) {
  const sorted = Object.fromEntries(
    Object.entries(catalog).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
  writeFileSync(pathOf(language), `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Returns the English texts that only the server uses: no page needs them. */
export function readServerOnly() {
  return JSON.parse(readFileSync(SERVER_ONLY, "utf8"));
}

export function writeServerOnly(texts) {
  writeFileSync(SERVER_ONLY, `${JSON.stringify(texts, null, 2)}\n`);
}

const SERVER_ONLY = inProject("apps/web/messages/server-only.json");

/** Returns a catalog with exactly these messages: new ones have no translation yet. */
export function withMessages(catalog, texts) {
  return Object.fromEntries(texts.map((text) => [text, catalog[text] ?? ""]));
}

/** Returns the problems of a catalog, one sentence each. */
export function problemsOf(language, catalog, texts) {
  const wanted = new Set(texts);
  return [
    ...texts.flatMap((text) => problemOf(language, text, catalog[text])),
    ...Object.keys(catalog)
      .filter((text) => !wanted.has(text))
      .map((text) => `${language}: “${text}” is no message any more; run npm run messages.`),
  ];
}

function problemOf(language, text, translation) {
  if (translation === undefined || translation === "") {
    return [
      `${language}: “${text}” is not translated; add it to apps/web/messages/${language}.json.`,
    ];
  }
  if (placeholders(text) === placeholders(translation)) return [];
  return [`${language}: “${translation}” has other placeholders than “${text}”.`];
}

function placeholders(text) {
  return [...text.matchAll(/\$\{(\d+)\}/g)]
    .map(([, index]) => Number(index))
    .toSorted((a, b) => a - b)
    .join();
}

function pathOf(language) {
  return inProject("apps/web/messages", `${language}.json`);
}
