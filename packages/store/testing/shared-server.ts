import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDatabase } from "@cloudwright/sandbox/database/start-database";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The data folder of the PostgreSQL that the files of one run share. */
    readonly sharedServer: string;
  }
}

/** Vitest's global set-up: only names the folder, as few runs of a single file need a database. Returns the tear-down. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "cloudwright-store-"));
  const dataDir = path.join(folder, "data");
  project.provide("sharedServer", dataDir);
  return async () => {
    if (existsSync(path.join(dataDir, "postmaster.pid"))) {
      const running = await startDatabase({ dataDir });
      await running.stop();
    }
    await rm(folder, { recursive: true, force: true });
  };
}
