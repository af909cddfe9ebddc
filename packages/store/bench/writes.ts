import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { migrate } from "../src/database/migrate.ts";
import { startLedgerWriter } from "../src/ledger/ledger-writer.ts";
import { openSpool } from "../src/spool/spool.ts";
import { heartbeat, memoryLog, nodePart, objectState } from "../testing/records.ts";
import { nodeRoutesState, routeCell } from "../testing/route-records.ts";
import { systemClock } from "../testing/system-clock.ts";

export interface WriteRow {
  readonly what: string;
  /** The database's CPU time for 1,000 nodes with their routes, in milliseconds. */
  readonly cpuMs: number;
}

const ROUNDS = ["first", "again", "once more"];
/** Nodes per batch, as in a wave: first one controller's reports about these nodes, then the next controller's. */
const AT_ONCE = 100;
const TICK_MS = 10;

/** Measures what the states of nodes with routes cost the database, when they are new and when they are reported again. Linux only. */
export async function measureWrites(given: {
  readonly url: string;
  /** Process ID of the database server. */
  readonly pid: number;
  readonly dir: string;
  readonly nodes: number;
}): Promise<readonly WriteRow[]> {
  await migrate(given.url);
  const began = Date.now() - 10_000_000;
  const rows: WriteRow[] = [];
  for (const [round, what] of ROUNDS.entries()) {
    const before = cpuOf(given.pid);
    await drain(given, [...statesOf(given.nodes, { began, at: began + round * 300_000 })], what);
    rows.push({ what, cpuMs: ((cpuOf(given.pid) - before) / given.nodes) * 1_000 });
  }
  return rows;
}

function* statesOf(nodes: number, { began, at }: { readonly began: number; readonly at: number }) {
  for (let first = 0; first < nodes; first += AT_ONCE) {
    const names = Array.from({ length: Math.min(AT_ONCE, nodes - first) }, (_, index) => ({
      ...{ name: `w-${first + index}`, since: began },
      address: `10.0.${(first + index) >> 8}.${(first + index) & 255}`,
    }));
    for (const { name, since, address } of names) {
      const node = nodePart({ createdAt: began, address, providerID: `sandbox://z1/${name}` });
      const labels = Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [
          `example.org/label-${index}`,
          `${name}-${index}`,
        ]),
      );
      const facts = { ...node.facts, labels };
      yield objectState({ name, at, since, node, cloud: facts, wanted: facts });
    }
    for (const { name, since } of names) {
      const controller = "cloud-node-lifecycle-controller";
      yield objectState({ controller, name, at: at + 1, since, reason: { code: "InStep" } });
    }
    for (const { name, since } of names) {
      yield nodeRoutesState(name, { at: at + 2, since, reported: { cells: [routeCell()] } });
    }
  }
}

async function drain(
  { url, dir }: { readonly url: string; readonly dir: string },
  records: readonly ReturnType<typeof objectState>[],
  what: string,
): Promise<void> {
  const spool = openSpool({ dir: path.join(dir, what), maxBytes: 1e9, clock: systemClock });
  spool.append(heartbeat());
  for (const record of records) spool.append(record);
  const writer = startLedgerWriter({
    ...{ spool, databaseUrl: url, clock: systemClock, log: memoryLog() },
  });
  while (writer.stats().written <= records.length) await wait(50);
  await writer.stop();
  spool.close();
}

/** Returns the CPU time of a process, its children and its ended children, in milliseconds. */
function cpuOf(pid: number): number {
  const ticks = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ticksOf(Number(name), pid))
    .reduce((sum, one) => sum + one, 0);
  return ticks * TICK_MS;
}

function ticksOf(pid: number, server: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
  // The process name may contain spaces. After it: the parent, then from the 11th field on user and system time, and both for ended
  // children.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const times = fields.slice(11, pid === server ? 15 : 13);
  return pid === server || fields[1] === server ? times.reduce((sum, one) => sum + one, 0) : 0;
}
