import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { takeLock } from "./lock.mjs";
// @ts-expect-error The same.
import { identityOf } from "./process-identity.mjs";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-lock-"));
  path = join(folder, "deep", "a.lock");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("is held by one process at a time, and released", () => {
  const lock = takeLock(path);
  expect(takeLock(path).owner).toMatchObject({ pid: process.pid });
  lock.release();
  expect(existsSync(path)).toBe(false);
  expect(takeLock(path).owner).toBeUndefined();
});

it("shows others what its owner has noted", () => {
  const lock = takeLock(path);
  lock.note({ what: "npm" });
  expect(takeLock(path).owner).toMatchObject({ pid: process.pid, what: "npm" });
});

it("is taken over from a dead process", async () => {
  const pid = await pidOfTheDead();
  takeLock(path).release();
  writeFileSync(path, JSON.stringify({ pid, startedAt: "1" }));
  expect(takeLock(path).owner).toBeUndefined();
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
});

it.runIf(process.platform === "linux")(
  "is taken over when the number belongs to another process by now",
  () => {
    takeLock(path).release();
    writeFileSync(path, JSON.stringify({ ...identityOf(process.ppid), startedAt: "1" }));
    expect(takeLock(path).owner).toBeUndefined();
  },
);

it("is kept for a dead process while its child is still running", async () => {
  const child = identityOf(process.ppid);
  takeLock(path).release();
  writeFileSync(path, JSON.stringify({ pid: await pidOfTheDead(), startedAt: "1", child }));
  expect(takeLock(path).owner).toMatchObject({ child });
});

it("is taken over if its file is incomplete", () => {
  takeLock(path).release();
  writeFileSync(path, '{"pid":');
  expect(takeLock(path).owner).toBeUndefined();
});

async function pidOfTheDead(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.once("close", resolve));
  return child.pid ?? -1;
}
