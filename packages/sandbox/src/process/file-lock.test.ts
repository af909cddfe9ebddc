import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFile } from "./file-lock.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  file = join(folder, "state");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("a lock on a file", () => {
  it("is held by one process and can be taken again once released", async () => {
    const unlock = await lockFile(file);
    await expect(lockFile(file)).rejects.toThrow(`in use by process ${process.pid}`);
    await unlock();
    await unlock();
    const again = await lockFile(file);
    await again();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is taken over from a process that is gone", async () => {
    await writeFile(`${file}.lock`, JSON.stringify({ pid: await deadPid() }));
    const unlock = await lockFile(file);
    await unlock();
  });

  it.skipIf(process.platform !== "linux")(
    "is taken over when its number belongs to another process by now",
    async () => {
      await writeFile(`${file}.lock`, JSON.stringify({ pid: process.pid, startTicks: "1" }));
      const unlock = await lockFile(file);
      await unlock();
    },
  );

  it("is taken over when nobody can read it", async () => {
    await writeFile(`${file}.lock`, "{");
    const unlock = await lockFile(file);
    await unlock();
  });

  it("goes to exactly one of many that find it stale", async () => {
    await writeFile(`${file}.lock`, JSON.stringify({ pid: await deadPid() }));
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFile(file)));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readdir(folder)).toEqual(["state.lock"]);
  });
});
