import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { afterEach, beforeEach, expect, it } from "vitest";
import { heartbeat, runEnd, runStart } from "../../testing/records.ts";
import { contentsOf, decodeLines } from "./decode-lines.ts";
import { peekRuns, spoolFolders } from "./peek-runs.ts";
import { openSpool } from "./spool.ts";

let parent: string;
let dir: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), "peek-"));
  dir = path.join(parent, "cluster", "host", "spool-1");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function open() {
  return openSpool({ dir, maxBytes: 16 * 1024 * 1024, clock: createManualClock() });
}

it("reads each run once, by its end where there is one, while the spool is in use", () => {
  const spool = open();
  const ended = runEnd({ startedAt: 1_000 });
  const under = runStart({ startedAt: 2_000 });
  spool.append(runStart({ id: ended.id, startedAt: 1_000 }));
  spool.append(heartbeat());
  spool.append(ended);
  spool.append(under);
  expect(peekRuns(dir).map(({ run }) => [run.id, run.type])).toEqual([
    [ended.id, "run.end"],
    [under.id, "run.start"],
  ]);
  spool.close();
});

it("leaves out what has reached a database, and changes nothing", () => {
  const spool = open();
  spool.append(runEnd({ startedAt: 1_000 }));
  const batch = spool.read(1_000_000);
  if (batch === undefined) throw new Error("nothing was read");
  spool.commit(batch, contentsOf(decodeLines(batch.lines), []));
  const later = runEnd({ startedAt: 2_000 });
  spool.append(later);
  const files = readdirSync(dir);
  expect(peekRuns(dir).map(({ run }) => run.id)).toEqual([later.id]);
  expect(readdirSync(dir)).toEqual(files);
  spool.close();
});

it("finds the spools below a folder, and none where there is none", () => {
  open().close();
  const spool = open();
  spool.append(runEnd());
  spool.close();
  expect(spoolFolders(parent)).toEqual([dir]);
  expect(spoolFolders(dir)).toEqual([dir]);
  expect(spoolFolders(path.join(parent, "elsewhere"))).toEqual([]);
  expect(spoolFolders(path.join(dir, "segment-000000000001.log"))).toEqual([]);
});
