import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { runsInput } from "../../../testing/list-inputs.ts";
import { CLUSTER, objectState, runEnd } from "../../../testing/records.ts";
import { testLedger } from "../../../testing/test-ledger.ts";
import { listCommentedIntents, listCommentedRuns } from "../../comments/commented-lists.ts";
import { takeoverOf } from "../adoption/takeover.ts";
import { budget } from "../budget/budget.ts";
import { listOrphans } from "../objects/load-balancers.ts";
import { nodeDetail } from "../objects/node-detail.ts";
import { objectView } from "../objects/object-view.ts";
import { listStaleRoutes, nodeRoutes } from "../objects/routes.ts";
import type { PartialInput } from "./part-reader.ts";

const ledger = testLedger();
const NODE = { cluster: CLUSTER, name: "w-1" };

beforeEach(async () => {
  await ledger.db.prisma.cluster.create({
    data: { id: CLUSTER, name: "prod-eu", provider: "sandbox", lastHeardAt: new Date() },
  });
  await ledger.write(objectState({ name: NODE.name }));
  await ledger.write(runEnd());
  const at = new Date();
  await ledger.db.prisma.intent.create({
    data: {
      ...{ id: randomUUID(), clusterId: CLUSTER, kind: "retry", state: "requested", why: "x" },
      ...{ controller: "cloud-node-controller", objectKind: "Node", objectName: NODE.name },
      ...{ actorId: "u", actorName: "Vic", requestedAt: at, updatedAt: at, expiresAt: at },
    },
  });
});

type Read = (input: PartialInput) => Promise<object>;

const BY_AGE = {
  ...{ cluster: CLUSTER, filter: {}, limit: 10 },
  sort: { by: "since", descending: false } as const,
};

/** The query, the missing table, and the parts that are then missing. */
const ANSWERS: readonly (readonly [string, Read, string, readonly string[]])[] = [
  ["a node", (input) => nodeDetail(ledger.db, { ...NODE, ...input }), "intents", ["openIntents"]],
  [
    "an object",
    (input) => objectView(ledger.db, { ...NODE, kind: "Node", ...input }),
    "intents",
    ["openIntents"],
  ],
  [
    "the routes of a node",
    (input) => nodeRoutes(ledger.db, { ...NODE, ...input }),
    "intents",
    ["openIntents"],
  ],
  [
    "a list of runs",
    (input) => listCommentedRuns(ledger.db, { ...runsInput(), ...input }),
    "comments",
    ["comments"],
  ],
  [
    "a list of actions",
    (input) =>
      listCommentedIntents(ledger.db, {
        ...{ cluster: CLUSTER, filter: {}, limit: 10, ...input },
        sort: { by: "requested", descending: false },
      }),
    "comments",
    ["comments"],
  ],
  [
    "a list of load balancers without a Service",
    (input) => listOrphans(ledger.db, { ...BY_AGE, ...input }),
    "intents",
    ["openIntents"],
  ],
  [
    "a list of stale routes",
    (input) => listStaleRoutes(ledger.db, { ...BY_AGE, ...input }),
    "intents",
    ["openIntents"],
  ],
  ["the takeover", (input) => takeoverOf(ledger.db, CLUSTER, input), "audit_entries", ["adopted"]],
  [
    "the budget",
    (input) => budget(ledger.db, { cluster: CLUSTER, range: "hour", now: Date.now(), ...input }),
    "all_states",
    ["deferred"],
  ],
];

describe.each(ANSWERS)("a part of %s that cannot be read", (_what, read, ...[table, parts]) => {
  test("is named, and all else is there", async () => {
    const { unread: _none, ...whole } = { unread: undefined, ...(await read({})) };
    await lose(table);
    const failed: string[] = [];
    const answer = await read({ onUnread: (part) => failed.push(part) });
    expect(failed).toEqual(parts);
    expect(new Set(Object.keys(answer))).toEqual(new Set([...Object.keys(whole), "unread"]));
  });

  test("fails as a whole for a caller that does not take part of it, as a file must be whole", async () => {
    await lose(table);
    await expect(read({})).rejects.toThrow();
  });
});

/** Makes every query of this table fail from then on. */
async function lose(table: string): Promise<void> {
  await ledger.db.pool.query(`ALTER TABLE ${table} RENAME TO gone`);
}
