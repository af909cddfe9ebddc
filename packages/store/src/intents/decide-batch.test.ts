import { randomUUID } from "node:crypto";
import { BATCH_MOST } from "@cloudwright/core/model/actions/intent";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER, objectState } from "../../testing/records.ts";
import type { VerbContext } from "../operations/verb.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { type DecideBatchInput, decideBatch, decideBatchSchema } from "./decide-batch.ts";
import { decideIntent, waitingApprovals } from "./decide-intent.ts";
import { requestBatch } from "./request-batch.ts";
import { openIntents } from "./statements.ts";

const database = useClusterDatabase();
const NAMES = ["w-1", "w-2", "w-3"];

function as(name: string, role: Role = "operator"): VerbContext {
  return { db: database.db, actor: { id: `id-${name}`, name, role } };
}
const [ana, bo] = [() => as("ana"), () => as("bo")];

beforeEach(async () => {
  await database.db.prisma.approvalPolicy.create({
    data: {
      ...{ clusterId: CLUSTER, required: true, actions: ["release"] },
      ...{ changedBy: "cleo", changedAt: new Date() },
    },
  });
  await database.write(...NAMES.map((name) => objectState({ name, uid: `uid-${name}` })));
});

interface Waiting {
  readonly batch: string;
  readonly ids: readonly string[];
}

/** Requests releases of these nodes in one batch. */
async function waiting(
  names: readonly string[] = NAMES,
  { by = ana(), batch = randomUUID() }: { by?: VerbContext; batch?: string } = {},
): Promise<Waiting> {
  const requests = names.map((name) => ({
    ...{ id: randomUUID(), kind: "release", action: { kind: "release" }, why: "INC-13" },
    ...{ controller: "cloud-node-controller", planHash: "seen by ana" },
    object: { kind: "Node", name, uid: `uid-${name}` },
  }));
  const answers = await requestBatch(by, { batch, cluster: CLUSTER, requests });
  const ids = answers.flatMap((answer) => (answer.kind === "requested" ? [answer.intent.id] : []));
  expect(ids).toHaveLength(names.length);
  return { batch, ids };
}

const approval = ({ batch, ids }: Waiting): DecideBatchInput => ({
  ...{ cluster: CLUSTER, batch, decision: "approve", why: "Agreed" },
  actions: ids.map((id, index) => ({ id, planHash: `plan ${index}` })),
});
const refusal = ({ batch, ids }: Waiting): DecideBatchInput => ({
  ...{ cluster: CLUSTER, batch, decision: "decline", why: "Not on a Friday" },
  actions: ids.map((id) => ({ id })),
});

const statesOf = async ({ ids }: Pick<Waiting, "ids">) => {
  const rows = await database.db.prisma.intent.findMany({ where: { id: { in: [...ids] } } });
  return ids.map((id) => rows.find((row) => row.id === id)?.state);
};
const entriesOf = (action: string) =>
  database.db.prisma.auditEntry.findMany({ where: { action }, orderBy: { seq: "asc" } });

describe("a batch that waits for approval", () => {
  test("is approved as one, each action with the plan that was shown, and audited one by one", async () => {
    const all = await waiting();
    const answers = await decideBatch(bo(), approval(all));
    expect(answers).toMatchObject(
      all.ids.map((id, index) => ({
        kind: "decided",
        intent: { id, state: "requested", planHash: `plan ${index}`, decision: { by: "bo" } },
      })),
    );
    expect((await openIntents(database.db, CLUSTER)).map(({ id }) => id).sort()).toEqual(
      all.ids.toSorted(),
    );
    const entries = await entriesOf("intent.approve");
    expect(entries.map(({ intentId }) => intentId).sort()).toEqual(all.ids.toSorted());
    for (const entry of entries) {
      expect(entry).toMatchObject({
        ...{ actorName: "bo", why: "Agreed", result: "applied" },
        before: { state: "awaiting-approval", planHash: "seen by ana" },
        after: { requestedBy: "ana", batch: all.batch, state: "requested" },
      });
    }
  });

  test("is declined as one, with the reason", async () => {
    const all = await waiting();
    await decideBatch(bo(), refusal(all));
    expect(await statesOf(all)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await entriesOf("intent.decline")).toMatchObject(
      NAMES.map(() => ({ after: { batch: all.batch, state: "rejected" } })),
    );
  });

  test("is decided without those that expired or were withdrawn or decided meanwhile, with the cause of each", async () => {
    const all = await waiting();
    const [expired = "", withdrawn = "", left = ""] = all.ids;
    await database.db.pool.query(
      "UPDATE intents SET expires_at = now() - interval '1 second' WHERE id = $1",
      [expired],
    );
    await cancelIntent(ana(), { cluster: CLUSTER, id: withdrawn });
    expect(await decideBatch(bo(), approval(all))).toMatchObject(
      [
        { kind: "refused", id: expired, code: "Precondition", why: /nobody approved it before/ },
        { kind: "refused", id: withdrawn, code: "Precondition", why: /it was withdrawn/ },
        { kind: "decided", intent: { id: left } },
      ].map(matching),
    );
    const again = await decideBatch(as("eve"), refusal({ ...all, ids: [left] }));
    expect(again).toMatchObject([
      matching({ kind: "refused", id: left, why: /bo has approved it/ }),
    ]);
    expect(await entriesOf("intent.approve")).toMatchObject([
      { result: "refused", after: { batch: all.batch } },
      { result: "refused", after: { batch: all.batch } },
      { result: "applied", after: { batch: all.batch } },
    ]);
  });

  test("is not decided by its requester, nor by a lesser role, and that is audited once", async () => {
    const all = await waiting();
    const again = { ...as("ana", "admin").actor, name: "Ana K." };
    for (const [index, actor] of [ana().actor, again, as("vic", "viewer").actor].entries()) {
      for (const input of [approval(all), refusal(all)]) {
        await expect(decideBatch({ db: database.db, actor }, input)).rejects.toMatchObject({
          code: "Forbidden",
        });
      }
      expect(await entriesOf("intent.approve")).toHaveLength(index + 1);
    }
    expect(await statesOf(all)).toEqual(Array(3).fill("awaiting-approval"));
    expect(await entriesOf("intent.decline")).toMatchObject(
      Array(3).fill({ result: "refused", after: { batch: all.batch } }),
    );
  });

  test("leaves out the deciding user's own action that was put into another's batch", async () => {
    const { batch, ids } = await waiting(["w-1"]);
    const own = await waiting(["w-2"], { by: bo(), batch });
    const both = { batch, ids: [...ids, ...own.ids] };
    expect(await decideBatch(bo(), approval(both))).toMatchObject(
      [{ kind: "decided" }, { kind: "refused", code: "Forbidden", why: /You requested this/ }].map(
        matching,
      ),
    );
    expect(await statesOf(both)).toEqual(["requested", "awaiting-approval"]);
  });

  test("is decided with its own actions only, in its cluster", async () => {
    const [one, other] = [await waiting(["w-1"]), await waiting(["w-2"])];
    const mixed = { ...one, ids: [...one.ids, ...other.ids] };
    expect(await decideBatch(bo(), approval(mixed))).toMatchObject([
      { kind: "decided" },
      { kind: "refused", code: "NotFound", id: other.ids[0] },
    ]);
    expect(await statesOf(other)).toEqual(["awaiting-approval"]);
    for (const over of [{ batch: randomUUID() }, { cluster: "elsewhere" }]) {
      const wrong = decideBatch(bo(), { ...approval(other), ...over });
      await expect(wrong).rejects.toMatchObject({ code: "NotFound" });
    }
    const { actor } = bo();
    const restricted = { db: database.db, actor: { ...actor, clusters: ["elsewhere"] } };
    await expect(decideBatch(restricted, approval(other))).rejects.toMatchObject({
      code: "NotFound",
    });
    expect(await statesOf(other)).toEqual(["awaiting-approval"]);
  });

  test("is decided once, by one of all who decide at the same time", async () => {
    const all = await waiting();
    const answers = await Promise.all([
      decideBatch(bo(), approval(all)),
      decideBatch(as("eve"), refusal({ ...all, ids: all.ids.toReversed() })),
      decideIntent(as("dan"), {
        ...{ cluster: CLUSTER, id: all.ids[1] ?? "", decision: "decline", why: "no" },
      }).catch(() => undefined),
    ]);
    const decided = await database.db.prisma.auditEntry.count({
      where: { action: { in: ["intent.approve", "intent.decline"] }, result: "applied" },
    });
    expect(decided).toBe(3);
    expect(answers.flat()).toHaveLength(7);
    expect(await statesOf(all)).not.toContain("awaiting-approval");
  });
});

/** Expects the sentence by a pattern. */
function matching({ why, ...answer }: { readonly why?: RegExp; readonly [name: string]: unknown }) {
  return why === undefined ? answer : { ...answer, why: expect.stringMatching(why) };
}

test("a decision about a batch names its actions, with the plans to approve, and a reason", () => {
  const input = {
    ...{ cluster: CLUSTER, batch: randomUUID(), decision: "approve", why: "Agreed" },
    actions: [{ id: randomUUID(), planHash: "h" }],
  };
  expect(decideBatchSchema.safeParse(input).success).toBe(true);
  const wrong = [
    { actions: [] },
    { actions: Array(BATCH_MOST + 1).fill({ id: randomUUID(), planHash: "h" }) },
    { actions: [{ id: randomUUID() }] },
    { why: " " },
    { batch: "made-up" },
  ];
  for (const over of wrong) {
    expect(decideBatchSchema.safeParse({ ...input, ...over }).success).toBe(false);
  }
});

describe("waiting actions", () => {
  const namesOf = async (of: { readonly batch?: string } = {}) =>
    (await waitingApprovals(bo(), { cluster: CLUSTER, ...of })).map(
      ({ intent }) => intent.object.name,
    );

  test("can be read for one batch", async () => {
    const { batch } = await waiting(["w-1", "w-2"]);
    await waiting(["w-3"]);
    expect((await namesOf()).sort()).toEqual(NAMES);
    expect((await namesOf({ batch })).sort()).toEqual(["w-1", "w-2"]);
    expect(await namesOf({ batch: "made-up" })).toEqual([]);
  });

  test("include the last batch as a whole, when more wait than are read", async () => {
    const many = Array.from({ length: BATCH_MOST }, (_, index) => `n-${index}`);
    await database.write(...many.map((name) => objectState({ name, uid: `uid-${name}` })));
    await waiting(["w-1"]);
    await waiting(many);
    await waiting(["w-2"]);
    const names = await namesOf();
    expect(names).toHaveLength(BATCH_MOST + 1);
    expect(new Set(names)).toEqual(new Set(["w-1", ...many]));
  });
});
