import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { packStatic } from "./pack-static.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-packed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("writes compressed copies of scripts and style sheets, and of nothing else", async () => {
  for (const name of ["a.js", "b.css", "c.woff2"]) {
    writeFileSync(join(folder, name), `text of ${name}`.repeat(99));
  }
  await packStatic(folder);
  expect(readdirSync(folder).toSorted()).toEqual([
    "a.js",
    "a.js.br",
    "b.css",
    "b.css.br",
    "c.woff2",
  ]);
  const packed = readFileSync(join(folder, "a.js.br"));
  expect(packed.length).toBeLessThan(100);
  expect(brotliDecompressSync(packed).toString()).toBe("text of a.js".repeat(99));
});
