import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { ROOT } from "../lib/project.mjs";
// @ts-expect-error As above.
import { makePortable } from "./build-dashboard.mjs";

const LINKS = "apps/web/.next/node_modules";
const CHUNK = "apps/web/.next/server/chunks/a.js";
const HASHED = ["pg-587764f78a6c7a9c", "@prisma/client-2c3a283f134fdcb6"] as const;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-standalone-"));
  for (const name of ["pg", "@prisma/client"]) write(`node_modules/${name}/package.json`, "{}");
  link(HASHED[0], "pg");
  link(HASHED[1], "@prisma/client");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function link(hashed: string, to: string): void {
  mkdirSync(dirname(join(folder, LINKS, hashed)), { recursive: true });
  symlinkSync(join(folder, "node_modules", to), join(folder, LINKS, hashed));
}

function read(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

it("refers to packages outside the bundles by their own names, without links", () => {
  write(CHUNK, `a.y("${HASHED[0]}");a.x("${HASHED[1]}/runtime/client")`);
  makePortable(folder);
  expect(read(CHUNK)).toBe('a.y("pg");a.x("@prisma/client/runtime/client")');
  expect(existsSync(join(folder, LINKS))).toBe(false);
});

it("refuses a package with two versions, which would have the same name", () => {
  write("other/pg/package.json", "{}");
  rmSync(join(folder, LINKS, HASHED[0]));
  symlinkSync(join(folder, "other/pg"), join(folder, LINKS, HASHED[0]));
  expect(() => makePortable(folder)).toThrow(/^pg-587764f78a6c7a9c .* is not pg .* two versions/);
});

it("contains no path of the checkout", () => {
  write("apps/web/server.js", JSON.stringify({ root: ROOT, dir: `${ROOT}/apps/web` }));
  makePortable(folder);
  expect(JSON.parse(read("apps/web/server.js"))).toEqual({ root: "/app", dir: "/app/apps/web" });
});

it("contains no key that Next generated for the build, even inside a text", () => {
  const keys = {
    previewModeId: "d7079fed035d492e65b2effb4ee48f12",
    previewModeSigningKey: "878e1f2f80bd47b2faa23bd35154b0acf9ee3ae49631a81536f2f1b0aad80f2b",
    encryptionKey: "2QFDEVeASl3izBtqnHCjZV73/rtzVb8ksnRgdgdIrhM=",
    other: "d7079fed035d492e65b2effb4ee48f12",
  };
  write("apps/web/.next/keys.json", JSON.stringify(keys, null, 2));
  write("apps/web/.next/keys.js", `self.M=${JSON.stringify(JSON.stringify(keys, null, 2))}`);
  makePortable(folder);
  const zeros = { previewModeId: 32, previewModeSigningKey: 64, encryptionKey: 44 };
  for (const [key, length] of Object.entries(zeros)) {
    expect(JSON.parse(read("apps/web/.next/keys.json"))[key]).toBe("0".repeat(length));
  }
  expect(read("apps/web/.next/keys.js")).not.toMatch(/2QFDEVe|878e1f2f/);
  expect(read("apps/web/.next/keys.json")).toContain(keys.other);
});
