import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metrics, type RunningController } from "../../harness/controller.ts";
import { run } from "../../harness/processes.ts";
import { demand, eventually, messageOf, same } from "../../harness/wait.ts";
import type { Fault } from "../environment.ts";
import { fault } from "../environment.ts";
import { namesOf } from "../fleets/fleet.ts";

/** Smaller than one file of the spool. */
const DISK_KIB = 256;
const GROUPS = 5;

/**
 * The spool's disk is full while PostgreSQL is dead: reconciling goes on, and what could not be written down is reported as a
 * gap. Once PostgreSQL is back nothing more is lost. A real disk, which needs no rights: a memory file system in a
 * name space of the controller's own.
 */
const played = fault("full-spool", async (env) => {
  const { short, dir, fleet, database, start } = env;
  const count = short ? 100 : 500;
  const folder = join(dir, "a", "spool");
  mkdirSync(folder, { recursive: true });
  const controller = await start({ through: onSmallDisk(folder) });
  const disk = `/proc/${controller.pid}/root${folder}`;
  demand(statfsSync(disk).blocks * 4 <= DISK_KIB, "the controller has not got its small disk");
  await fleet.join(namesOf("before", 20));
  await fleet.settled();
  await database.kill();
  const unrecorded = namesOf("full", count);
  await fleet.join(unrecorded);
  await fleet.settled();
  env.expectGap(unrecorded);
  same(statfsSync(disk).bfree, 0, "the free blocks of the disk that should be full");
  await database.restart();
  // Few at a time, each on an empty disk: so small a one holds no more of them than that.
  for (let group = 0; group < GROUPS; group++) {
    await eventually(() => empty(controller, disk), { withinMs: 60_000 });
    await fleet.join(namesOf(`after-${group}`, 10));
    await fleet.settled();
  }
  return `${count} nodes joined with a full disk of ${DISK_KIB} KiB, ${GROUPS * 10} more afterwards`;
});

export const fullSpool: Fault = { ...played, obstacle };

/** Some machines let nobody make name spaces, or mount in them. */
async function obstacle(): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-small-disk-"));
  try {
    const [command = "", ...args] = [...onSmallDisk(folder), "true"];
    await run(command, args);
    return undefined;
  } catch (error) {
    return `no small disk is available here: ${messageOf(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Becomes the program that follows, as the same process. */
function onSmallDisk(folder: string): readonly string[] {
  const mount = `mount -t tmpfs -o size=${DISK_KIB}k,mode=700 none "$0" && exec "$@"`;
  return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, folder];
}

async function empty({ securePort }: RunningController, disk: string): Promise<void> {
  const text = await metrics(securePort);
  const undrained = Number(/^cloudwright_spool_bytes (.+)$/m.exec(text)?.[1] ?? Number.NaN);
  same(undrained, 0, "bytes left in the spool");
  const { bfree, blocks } = statfsSync(disk);
  demand(
    bfree > blocks / 2,
    `only ${bfree} of ${blocks} blocks are free, although all was drained`,
  );
}
