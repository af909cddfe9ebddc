import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const HOST = "http://site";
/** Links are only followed on a click; everything else is loaded with the page. */
const REFERENCE = /<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"/g;

/** Returns the problems of a built site, one per line: links to missing pages, files or headings, and resources from other hosts. */
export function problemsOfSite(folder) {
  const files = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, path = parentPath, name }) => join(path, name).slice(folder.length)),
  );
  const pages = [...files].filter((file) => file.endsWith(".html"));
  const anchors = new Map(pages.map((page) => [page, anchorsIn(read(folder, page))]));
  const problems = pages.flatMap((page) =>
    referencesIn(read(folder, page)).flatMap(([tag, to]) => {
      const problem = problemOf({ tag, url: new URL(to, HOST + page), files, anchors });
      return problem === undefined ? [] : [`${page}: ${to} ${problem}.`];
    }),
  );
  return [...new Set([...problems, ...[...files].flatMap((file) => outsideOf(folder, file))])];
}

function problemOf({ tag, url: { protocol, origin, pathname, hash }, files, anchors }) {
  if (protocol === "data:" || protocol === "mailto:") return undefined;
  if (origin !== HOST) return tag === "a" ? undefined : "would be loaded from another host";
  const path = decodeURIComponent(pathname);
  const file = path.endsWith("/") ? `${path}index.html` : path;
  if (!files.has(file)) return "leads to nothing";
  const anchor = decodeURIComponent(hash.slice(1));
  const isThere = anchor === "" || anchors.get(file)?.has(anchor) !== false;
  return isThere ? undefined : "leads to a heading that is not there";
}

/** Style sheets load the files that they name. */
function outsideOf(folder, file) {
  if (!file.endsWith(".css")) return [];
  const named =
    read(folder, file).match(/(?:url\(|@import)\s*["']?(?:https?:)?\/\/[^"')\s]+/g) ?? [];
  return named.map((each) => `${file}: ${each} would be loaded from another host.`);
}

function referencesIn(html) {
  return [...html.matchAll(REFERENCE)].map(([, tag, to]) => [tag, to.replaceAll("&amp;", "&")]);
}

function anchorsIn(html) {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
}

function read(folder, file) {
  return readFileSync(join(folder, file), "utf8");
}
