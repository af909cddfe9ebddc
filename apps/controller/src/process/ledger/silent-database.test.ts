import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { defaults } from "../../flags/parse-flags.ts";
import { createLog } from "../../logging/log.ts";
import { presenceOf } from "../../wiring/controllers/present-objects.ts";
import { createProcessContext } from "../../wiring/process-context.ts";
import { openLedger } from "./open-ledger.ts";

/** Never called before the database has answered. */
const NO_CLUSTER = { get: () => Promise.reject(new Error("not asked")) };
const CLUSTER = "6f3c2a10-0000-4000-8000-000000000001";
/** Far longer than a silent database should take. */
const DEADLINE_MS = 20_000;

let folder: string;
let server: Server;
/** Connections that were accepted but get no answer, as from a PostgreSQL that hangs. */
let waiting: Socket[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-silent-"));
  waiting = [];
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    waiting.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => {
  for (const socket of waiting) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

it("does not delay the end of the process, which keeps its records in the spool", async () => {
  const processContext = createProcessContext({ flags: flags(), given: [], log: silentLog() });
  const ledger = await openLedger(processContext, CLUSTER, NO_CLUSTER);
  ledger.recorder.append(
    presenceOf(
      { processContext, clusterUid: CLUSTER },
      { controller: "cloud-node-controller", kind: "Node", names: ["n1"] },
    ),
  );
  // One to write, and one to ask who owns the ledger.
  await vi.waitFor(() => expect(waiting).toHaveLength(2), 30_000);
  const kept = ledger.status().spoolBytes;
  expect(kept).toBeGreaterThan(0);
  const startedAt = performance.now();
  await ledger.stop(DEADLINE_MS);
  expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS / 2);
  const next = await openLedger(processContext, CLUSTER, NO_CLUSTER);
  expect(next.status().spoolBytes).toBe(kept);
  await next.stop(0);
});

function flags() {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    ...defaults(),
    "spool-dir": join(folder, "spool"),
    "database-url": `postgresql://somebody@127.0.0.1:${port}/cloudwright`,
  };
}

function silentLog() {
  return createLog({ format: "json", verbosity: 0, write: () => undefined });
}
