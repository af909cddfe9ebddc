import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { problemsOfSite } from "./site-problems.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-site-"));
  write("/index.html", '<a href="/docs/nodes.html#the-life">nodes</a> <h1 id="top">Top</h1>');
  write("/docs/nodes.html", '<h2 id="the-life">The life</h2> <a href="../#top">up</a>');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds no problem with links to existing pages, headings and files", () => {
  write("/a&b.txt", "text");
  write("/more.html", '<a href="/a&amp;b.txt">a</a> <a href="https://example.org/x">elsewhere</a>');
  expect(problemsOfSite(folder)).toEqual([]);
});

it.each([
  ['<a href="/docs/node.html">', "/docs/node.html leads to nothing."],
  [
    '<a href="docs/nodes.html#lives">',
    "docs/nodes.html#lives leads to a heading that is not there.",
  ],
  ['<img src="/picture.png">', "/picture.png leads to nothing."],
  [
    '<script async src="https://example.org/a.js">',
    "https://example.org/a.js would be loaded from another host.",
  ],
  ['<link rel="x" href="//example.org/a">', "//example.org/a would be loaded from another host."],
])("finds what is wrong with %s", (html, problem) => {
  write("/wrong.html", html);
  expect(problemsOfSite(folder)).toEqual([`/wrong.html: ${problem}`]);
});

it("finds fonts that a style sheet would load from another host", () => {
  write("/style.css", '@font-face { src: url("https://example.org/font.woff2"), url(/own.woff2) }');
  expect(problemsOfSite(folder)).toEqual([
    '/style.css: url("https://example.org/font.woff2 would be loaded from another host.',
  ]);
});

function write(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
