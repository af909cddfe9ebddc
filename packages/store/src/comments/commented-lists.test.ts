import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { runsInput } from "../../testing/list-inputs.ts";
import { CLUSTER, runEnd } from "../../testing/records.ts";
import { testLedger } from "../../testing/test-ledger.ts";
import { lazyConnection } from "../ledger/connection.ts";
import type { VerbContext } from "../operations/verb.ts";
import { listRuns } from "../queries/runs/runs.ts";
import { commentCountStatement } from "../sql/comments.ts";
import { doStep } from "../sql/upkeep.ts";
import type { CommentTarget } from "../views/comments.ts";
import { listCommentedIntents, listCommentedRuns } from "./commented-lists.ts";
import { addComment, withdrawComment } from "./comments.ts";

const ledger = testLedger();
const HOUR_MS = 3_600_000;

beforeEach(async () => {
  await ledger.db.prisma.cluster.create({
    data: { id: CLUSTER, name: "prod-eu", provider: "sandbox", lastHeardAt: new Date() },
  });
});

const ana = (): VerbContext => ({
  db: ledger.db,
  actor: { id: "ana", name: "ana", role: "operator" },
});

function comment(about: CommentTarget) {
  return addComment(ana(), { cluster: CLUSTER, about, text: "INC-88" });
}

async function aRun(over: Parameters<typeof runEnd>[0] = {}): Promise<string> {
  const run = runEnd(over);
  await ledger.write(run);
  return run.id;
}

async function counted(): Promise<Readonly<Record<string, number | undefined>>> {
  const { rows } = await listCommentedRuns(ledger.db, runsInput());
  return Object.fromEntries(rows.map(({ id, comments }) => [id, comments]));
}

describe("a list of runs", () => {
  test("has the number of readable comments on each run, and nothing where there are none", async () => {
    const [busy, calm, empty] = [await aRun(), await aRun(), await aRun()];
    await comment({ kind: "run", id: busy });
    await comment({ kind: "run", id: busy });
    const { id } = await comment({ kind: "run", id: calm });
    expect(await counted()).toEqual({ [busy]: 2, [calm]: 1, [empty]: undefined });
    await withdrawComment(ana(), { cluster: CLUSTER, id });
    expect(await counted()).toEqual({ [busy]: 2, [calm]: undefined, [empty]: undefined });
  });

  test("otherwise equals the one that a controller's login reads", async () => {
    await aRun();
    await aRun();
    const input = { ...runsInput(), limit: 1 };
    const page = await listCommentedRuns(ledger.db, input);
    expect(page).toEqual(await listRuns(ledger.db, input));
    const next = { ...input, cursor: page.nextCursor };
    expect(await listCommentedRuns(ledger.db, next)).toEqual(await listRuns(ledger.db, next));
  });

  test("counts comments on folded runs at the run that stands for them", async () => {
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
    const unchanged = { outcome: "unchanged", changes: [], applied: 0, steps: [] } as const;
    const first = await aRun({ startedAt: hour + 60_000, ...unchanged });
    const last = await aRun({ startedAt: hour + 120_000, ...unchanged });
    await comment({ kind: "run", id: first });
    const connection = lazyConnection(ledger.url);
    try {
      const before = new Date(Date.now() - HOUR_MS);
      expect(await doStep(await connection.client(), "foldRuns", [before])).toBe(1);
    } finally {
      connection.drop();
    }
    await comment({ kind: "run", id: last });
    expect(await counted()).toEqual({ [last]: 2 });
  });
});

test("a list of actions has the number of comments on each", async () => {
  const [about, other] = [await anAction(), await anAction()];
  await comment({ kind: "action", id: about });
  const { rows } = await listCommentedIntents(ledger.db, {
    ...{ cluster: CLUSTER, filter: {}, limit: 10 },
    sort: { by: "requested", descending: false },
  });
  const counts = Object.fromEntries(rows.map(({ id, comments }) => [id, comments]));
  expect(counts).toEqual({ [about]: 1, [other]: undefined });
});

async function anAction(): Promise<string> {
  const at = new Date();
  const { id } = await ledger.db.prisma.intent.create({
    data: {
      ...{ id: randomUUID(), clusterId: CLUSTER, kind: "retry", state: "requested", why: "x" },
      ...{ controller: "cloud-node-controller", objectKind: "Node", objectName: "w-2" },
      ...{ actorId: "u", actorName: "Vic", requestedAt: at, updatedAt: at, expiresAt: at },
    },
  });
  return id;
}

test.each(["runs", "actions"] as const)(
  "the comments on a page of %s are counted by an index over their ids, once",
  async (on) => {
    await ledger.db.pool.query(GENERATE_COMMENTS, [CLUSTER]);
    await ledger.db.pool.query("ANALYZE comments");
    const ids = Array.from({ length: 200 }, () => randomUUID());
    const { text, values } = commentCountStatement({ cluster: CLUSTER, on, ids });
    const explained = await ledger.db.pool.query<{ "QUERY PLAN": string }>(
      `EXPLAIN ${text}`,
      values,
    );
    const plan = explained.rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index Scan/);
    expect(plan).not.toMatch(/Seq Scan/);
  },
);

const GENERATE_COMMENTS = `
  WITH acted AS (
    INSERT INTO intents (id, cluster_id, kind, controller, object_kind, object_name, why, actor_id, actor_name, state,
                         requested_at, expires_at, updated_at)
    SELECT gen_random_uuid(), $1, 'retry', 'cloud-node-controller', 'Node', 'w-' || n, 'x', 'u', 'u', 'verified',
           now(), now(), now()
      FROM generate_series(1, 10000) AS n
    RETURNING id
  ), made AS (
    INSERT INTO comments (id, cluster_id, intent_id, text, author_id, author_name, created_at)
    SELECT gen_random_uuid(), $1, id, 'x', 'u', 'u', now() FROM acted
  )
  INSERT INTO comments (id, cluster_id, run_id, run_started_at, text, author_id, author_name, created_at)
  SELECT gen_random_uuid(), $1, gen_random_uuid(), now(), 'x', 'u', 'u', now() FROM generate_series(1, 10000)`;
