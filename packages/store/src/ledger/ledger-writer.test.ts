import { rmSync } from "node:fs";
import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { describe, expect, test } from "vitest";
import { useLedgerWriter } from "../../testing/ledger-writer.ts";
import {
  auditEntry,
  CLUSTER,
  heartbeat,
  newId,
  nodePart,
  objectState,
  runEnd,
  runStart,
} from "../../testing/records.ts";
import { clusterById } from "../queries/overview/clusters.ts";
import { listGaps } from "../queries/runs/runs.ts";

const ledger = useLedgerWriter();

describe("runs", () => {
  test("exist from their start, and are complete with their end", async () => {
    const started = runStart();
    await ledger.drain(started);
    expect(await ledger.db.prisma.run.findFirst({ where: { id: started.id } })).toMatchObject({
      clusterId: CLUSTER,
      outcome: "running",
      changeCount: 1,
      startedAt: new Date(started.startedAt),
      durationMs: null,
    });
    await ledger.drain(runEnd({ ...started, type: "run.end" }));
    expect(await ledger.db.prisma.run.findFirst({ where: { id: started.id } })).toMatchObject({
      outcome: "changed",
      reasonCode: "Initialised",
      cloudCalls: 1,
      kubeCalls: 2,
      durationMs: 42,
    });
  });

  test("are written once, however often they are drained", async () => {
    const end = runEnd();
    const start = runStart({ id: end.id, startedAt: end.startedAt });
    await ledger.drain(start, end, start, end);
    await ledger.drain(end, start);
    expect(await ledger.db.prisma.run.findMany()).toHaveLength(1);
    expect(await ledger.db.prisma.run.findFirst()).toMatchObject({ outcome: "changed" });
  });

  test("end as interrupted when their process died, unless the true end arrives after all", async () => {
    const lost = runStart();
    const known = runStart({ id: newId() });
    await ledger.drain(lost, known);
    await ledger.drain();
    const outcomes = async () =>
      Object.fromEntries(
        (await ledger.db.prisma.run.findMany()).map((row) => [row.id, row.outcome]),
      );
    expect(await outcomes()).toEqual({ [lost.id]: "interrupted", [known.id]: "interrupted" });
    await ledger.drain(runEnd({ id: known.id, startedAt: known.startedAt }));
    expect(await outcomes()).toEqual({ [lost.id]: "interrupted", [known.id]: "changed" });
  });

  test("end as interrupted when their machine is gone with its spool, and not before", async () => {
    const long = Date.now() - 3_600_000;
    const orphan = runStart({ startedAt: long, instance: "ctl-gone" });
    const living = runStart({ startedAt: long, instance: "ctl-1" });
    const recent = runStart({ instance: "ctl-gone" });
    await ledger.drain(heartbeat({ instance: "ctl-1" }), orphan, living, recent);
    rmSync(ledger.dir, { recursive: true });
    await ledger.drain(auditEntry());
    const rows = await ledger.db.prisma.run.findMany();
    expect(rows.filter((row) => row.outcome === "interrupted")).toMatchObject([{ id: orphan.id }]);
  });

  test("name the intent that asked for them", async () => {
    const intentId = newId();
    await ledger.drain(runEnd({ trigger: { kind: "intent", intentId, actor: "ana" } }));
    expect(await ledger.db.prisma.run.findFirst()).toMatchObject({
      intentId,
      triggerKind: "intent",
    });
  });
});

describe("states", () => {
  test("of one node become one row, also over several batches", async () => {
    await ledger.drain(
      objectState({ at: 1_000, node: nodePart({ createdAt: 500, zone: "z1" }) }),
      objectState({
        at: 1_100,
        controller: "cloud-node-lifecycle-controller",
        state: "waiting",
        reason: { code: "InstanceStopped", provider: "sandbox", state: "stopped" },
      }),
    );
    await ledger.drain(objectState({ at: 2_000, initialisedAt: 1_900 }));
    expect(await ledger.db.prisma.nodeState.findMany()).toMatchObject([
      {
        kind: "Node",
        name: "w-1",
        state: "waiting",
        reasonCode: "InstanceStopped",
        controller: "cloud-node-lifecycle-controller",
        zone: "z1",
        initMs: 1_400n,
        updatedAt: new Date(2_000),
      },
    ]);
  });
});

describe("gaps", () => {
  test("are kept once, and shown with their cluster", async () => {
    const at = Date.now();
    const gap = {
      type: "gap",
      id: newId(),
      cluster: CLUSTER,
      instance: "ctl-1",
      from: at - 5_000,
      to: at,
      records: 120,
      calls: 300,
    } as const;
    await ledger.drain(heartbeat(), gap, gap);
    await ledger.drain(gap, { ...gap, id: newId(), cluster: "another" });
    const { type: _type, cluster: _cluster, ...row } = gap;
    expect(await listGaps(ledger.db, { cluster: CLUSTER, limit: 10 })).toEqual([row]);
    expect((await clusterById(ledger.db, CLUSTER)).gaps).toEqual([row]);
    const before = { cluster: CLUSTER, to: at - 6_000, limit: 10 };
    expect(await listGaps(ledger.db, before)).toEqual([]);
    const after = { cluster: CLUSTER, from: at + 1, limit: 10 };
    expect(await listGaps(ledger.db, after)).toEqual([]);
  });
});

describe("audit entries and heartbeats", () => {
  test("are kept once, in order", async () => {
    const entries = Array.from({ length: 20 }, () => auditEntry());
    await ledger.drain(...entries);
    await ledger.drain(...entries);
    const rows = await ledger.db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
    expect(rows.map((row) => row.id)).toEqual(entries.map((entry) => entry.id));
  });

  test("audit entries cannot be changed, deleted or truncated", async () => {
    await ledger.drain(auditEntry());
    for (const sql of [
      "UPDATE audit_entries SET why = 'other'",
      "DELETE FROM audit_entries",
      "TRUNCATE audit_entries",
    ]) {
      await expect(ledger.db.pool.query(sql)).rejects.toThrow(/never changed or deleted/);
    }
  });

  test("the newest heartbeat of an instance is kept, and names the cluster", async () => {
    await ledger.drain(heartbeat({ at: 2_000, clusterName: "prod-eu" }));
    await ledger.drain(heartbeat({ at: 1_000, clusterName: "older", leader: false }));
    expect(await ledger.db.prisma.cluster.findMany()).toMatchObject([
      { id: CLUSTER, name: "prod-eu" },
    ]);
    expect(await ledger.db.prisma.controllerInstance.findMany()).toMatchObject([
      { identity: "ctl-1", leader: true, heardAt: new Date(2_000) },
    ]);
  });
});

describe("records that cannot be written", () => {
  test("are logged, counted and do not hold up the others", async () => {
    const good = auditEntry();
    const writer = await ledger.drain(
      auditEntry({ id: "no UUID" }),
      { ...auditEntry(), action: 7 } as unknown as LedgerRecord,
      { type: "unheard of" } as unknown as LedgerRecord,
      good,
      auditEntry({ id: "no UUID either" }),
    );
    expect(writer.stats()).toMatchObject({ refused: 4, written: 1 });
    expect(writer.log.filter((line) => line.startsWith("Left a record out"))).toHaveLength(4);
    expect(await ledger.db.prisma.auditEntry.findMany()).toMatchObject([{ id: good.id }]);
  });

  test("with a NUL in a cloud's message are written without it", async () => {
    await ledger.drain(auditEntry({ why: "before\u0000after" }));
    expect(await ledger.db.prisma.auditEntry.findFirst()).toMatchObject({ why: "beforeafter" });
  });
});
