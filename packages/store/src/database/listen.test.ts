import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { canOwnServer, startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { auditEntry, CLUSTER } from "../../testing/records.ts";
import { insertAuditEntry } from "../audit/audit-insert.ts";
import { connect } from "./database.ts";
import { listen, type Wake } from "./listen.ts";
import { PAGES_CHANNEL, parseTopicWake } from "./topics.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ownServer: true });
});
afterAll(() => server.dispose());

interface HearOptions {
  readonly alone?: string;
  readonly stop?: AbortController;
}

function hear(databaseUrl: string, { alone, stop = new AbortController() }: HearOptions = {}) {
  const heard: Wake[] = [];
  onTestFinished(() => stop.abort());
  listen({
    databaseUrl,
    channels: [PAGES_CHANNEL],
    handler: (wake) => heard.push(wake),
    signal: stop.signal,
    ...(alone === undefined ? {} : { alone }),
  });
  return heard;
}

async function notify(databaseUrl: string, payload: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SELECT pg_notify($1, $2)", [PAGES_CHANNEL, payload]);
  await client.end();
}

const resyncs = (heard: readonly Wake[]) => heard.filter((wake) => wake.resync).length;
const payloads = (heard: readonly Wake[]) =>
  heard.flatMap((wake) => (wake.resync ? [] : [wake.payload]));

describe("listening", () => {
  test("asks for a full resync first, then receives each notification", async () => {
    const url = await server.empty();
    const heard = hear(url);
    await vi.waitFor(() => expect(heard).toEqual([{ resync: true }]), 20_000);
    await notify(url, "runs:c1");
    await vi.waitFor(() => expect(payloads(heard)).toEqual(["runs:c1"]), 20_000);
  });

  test("alone waits until the other listener of the same name is gone, even if that one vanished silently", async () => {
    const url = await server.empty();
    const stop = new AbortController();
    const first = hear(url, { alone: "one", stop });
    await vi.waitFor(() => expect(resyncs(first)).toBe(1), 20_000);
    const waiting = hear(url, { alone: "one" });
    const other = hear(url, { alone: "another" });
    await vi.waitFor(() => expect(resyncs(other)).toBe(1), 20_000);
    await notify(url, "runs:c1");
    await vi.waitFor(() => expect(payloads(first)).toEqual(["runs:c1"]), 20_000);
    expect(waiting).toEqual([]);
    stop.abort();
    await vi.waitFor(() => expect(waiting).toEqual([{ resync: true }]), 20_000);
    await notify(url, "runs:c2");
    await vi.waitFor(() => expect(payloads(waiting)).toEqual(["runs:c2"]), 20_000);
  });

  test.skipIf(!canOwnServer)(
    "goes on after the server was away, with another look at everything",
    async () => {
      const url = await server.empty();
      const heard = hear(url);
      await vi.waitFor(() => expect(resyncs(heard)).toBe(1), 20_000);
      await server.stop();
      await server.start();
      await vi.waitFor(() => expect(resyncs(heard)).toBe(2), 20_000);
      await notify(url, "runs:c2");
      await vi.waitFor(() => expect(payloads(heard)).toEqual(["runs:c2"]), 20_000);
    },
  );

  test.skipIf(!canOwnServer)(
    "starts while the server is away and hears once it is there",
    async () => {
      const url = await server.empty();
      await server.stop();
      const heard = hear(url);
      await server.start();
      await vi.waitFor(() => expect(resyncs(heard)).toBe(1), 20_000);
    },
  );

  test("ends with its signal", async () => {
    const url = await server.empty();
    const stop = new AbortController();
    const heard: Wake[] = [];
    const handler = (wake: Wake) => heard.push(wake);
    listen({ databaseUrl: url, channels: [PAGES_CHANNEL], handler, signal: stop.signal });
    await vi.waitFor(() => expect(heard).toHaveLength(1), 20_000);
    stop.abort();
    const db = connect(url);
    onTestFinished(() => db.close());
    await vi.waitFor(async () => {
      const result = await db.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
      );
      expect(result.rows).toEqual([]);
    }, 20_000);
  });
});

describe("the database's triggers", () => {
  test("wake the pages once for each topic and cluster of a transaction", async () => {
    const url = await server.migrated();
    const db = connect(url);
    onTestFinished(() => db.close());
    const heard = hear(url);
    await vi.waitFor(() => expect(resyncs(heard)).toBe(1), 20_000);
    await db.prisma.$transaction(async (tx) => {
      const { cluster: _, ...ofAccounts } = auditEntry({ action: "account.sign-in" });
      await insertAuditEntry(tx, auditEntry());
      await insertAuditEntry(tx, auditEntry());
      await insertAuditEntry(tx, ofAccounts);
    });
    await vi.waitFor(() => expect(payloads(heard)).toHaveLength(2), 20_000);
    expect(payloads(heard).map(parseTopicWake)).toEqual([
      { topic: "audit", cluster: CLUSTER },
      { topic: "audit", cluster: undefined },
    ]);
  });

  test("name topics that this release knows", () => {
    expect(parseTopicWake("nodes:c1")).toEqual({ topic: "nodes", cluster: "c1" });
    expect(parseTopicWake("of the future:c1")).toBeUndefined();
    expect(parseTopicWake("")).toBeUndefined();
  });
});
