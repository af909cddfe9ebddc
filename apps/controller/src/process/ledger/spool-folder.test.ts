import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLog } from "../../logging/log.ts";
import { openSpoolFolder } from "./spool-folder.ts";

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "cloudwright-spool-"));
  vi.stubEnv("XDG_STATE_HOME", state);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(state, { recursive: true, force: true });
});

it("gives each process on a host its own folder, and a restarted process a folder left behind", () => {
  const first = open("");
  const second = open("");
  expect(places()).toEqual(["spool-1", "spool-2"]);
  first?.close();
  const third = open("");
  expect(places()).toEqual(["spool-1", "spool-2"]);
  second?.close();
  third?.close();
});

it("falls back to the temporary folder if the state folder cannot be written", () => {
  writeFileSync(join(state, "file"), "");
  vi.stubEnv("XDG_STATE_HOME", join(state, "file", "below"));
  vi.stubEnv("TMPDIR", state);
  open("")?.close();
  expect(places()).toEqual(["spool-1"]);
});

it("requires that a given folder works", () => {
  const folder = join(state, "mine");
  const spool = open(folder);
  expect(() => open(folder)).toThrow(/^--spool-dir cannot be used: .* is in use by process \d+/);
  spool?.close();
  writeFileSync(join(state, "file"), "");
  expect(() => open(join(state, "file", "spool"))).toThrow(
    /^--spool-dir cannot be used \(ENOTDIR: .*\): name a directory that this process may write to\.$/,
  );
});

function open(folder: string) {
  return openSpoolFolder({
    folder,
    maxBytes: 16_777_216,
    instance: "ctl-1",
    clusterUid: "uid",
    hostname: "host",
    clock: systemClock,
    log: createLog({ format: "json", verbosity: 0, write: () => undefined }),
  });
}

function places(): readonly string[] {
  return readdirSync(join(state, "cloudwright", "uid", "host")).toSorted();
}
