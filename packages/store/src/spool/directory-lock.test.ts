import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lockDirectory } from "./directory-lock.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-lock-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Leaves the lock of a killed process. */
function heldBy(host: string): void {
  symlinkSync(JSON.stringify({ pid: process.pid, host, started: "1" }), join(folder, "lock.json"));
}

it("takes over the lock of a process of this host whose id another process has now", () => {
  heldBy(hostname());
  expect(() => lockDirectory(folder)).not.toThrow();
});

it("leaves another host's lock alone, whose state is unknown", () => {
  heldBy("elsewhere");
  expect(() => lockDirectory(folder)).toThrow(/is in use by process \d+ on elsewhere/);
});

it("a replica with its own name takes over the lock that it left on another host", () => {
  vi.stubEnv("CLOUDWRIGHT_SPOOL_OWNER", "controller-0");
  heldBy("controller-0");
  expect(() => lockDirectory(folder)).not.toThrow();
  rmSync(join(folder, "lock.json"));
  heldBy("controller-1");
  expect(() => lockDirectory(folder)).toThrow(/controller-1/);
});
