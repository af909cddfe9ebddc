import { randomUUID } from "node:crypto";
import { BATCH_MOST } from "@cloudwright/core/model/actions/intent";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { contextOf } from "../../testing/intent-requests.ts";
import { serviceState } from "../../testing/load-balancer-records.ts";
import { CLUSTER, heartbeat } from "../../testing/records.ts";
import { listIntents } from "./intents.ts";
import { requestBatch } from "./request-batch.ts";
import { type IntentRequest, requestIntent } from "./request-intent.ts";
import { BATCHES_A_MINUTE, INTENTS_A_MINUTE } from "./room.ts";

const database = useClusterDatabase();
const NAMES = Array.from({ length: BATCH_MOST + 1 }, (_, index) => `web-${index}`);

const as = (role: Role) => contextOf(database.db, role);

type RequestedAction = Omit<IntentRequest, "cluster">;

function adoption(name: string, over: Partial<RequestedAction> = {}): RequestedAction {
  return {
    id: randomUUID(),
    kind: "adopt",
    action: { kind: "adopt", balancer: `lb-${name}` },
    controller: "service-lb-controller",
    object: { kind: "Service", namespace: "shop", name, uid: `uid-${name}` },
    why: "INC-13",
    planHash: "h-1",
    confirmation: `lb-${name}`,
    ...over,
  };
}

const preview = { kind: "preview", planHash: undefined, confirmation: undefined } as const;

/** Returns how many requests of a batch were accepted, and why the others were not. */
async function ask(requests: readonly RequestedAction[], context = as("admin")) {
  const batch = randomUUID();
  const answers = await requestBatch(context, { batch, cluster: CLUSTER, requests });
  const refusals = answers.filter(({ kind }) => kind === "refused");
  return { batch, answers, taken: answers.length - refusals.length, refusals };
}

beforeEach(async () => {
  await database.write(
    heartbeat(),
    ...NAMES.map((name) => {
      const unowned = { provider: "sandbox", id: `lb-${name}`, name: "a1" };
      return serviceState(`shop/${name}`, {
        uid: `uid-${name}`,
        state: "stuck",
        reason: { code: "BalancerUnowned", ...unowned },
      });
    }),
  );
});

describe("a batch of adoptions", () => {
  test("does not use up the limit of single requests, and has its own", async () => {
    const tooMany = NAMES.map((name) => adoption(name));
    await expect(ask(tooMany)).rejects.toMatchObject({ code: "Invalid" });
    expect(await ask(tooMany.slice(0, BATCH_MOST))).toMatchObject({ taken: BATCH_MOST });
    const singles = Array.from({ length: INTENTS_A_MINUTE + 1 }, () =>
      requestIntent(as("admin"), { ...adoption("web-1", preview), cluster: CLUSTER }),
    );
    const ends = await Promise.allSettled(singles);
    expect(ends.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "Limit" } },
    ]);
    expect(await ask([adoption("web-1", preview)])).toMatchObject({ taken: 1 });
  });

  test("is one of ten a minute, and cannot be made longer by reusing its id; previews are counted separately", async () => {
    for (const name of NAMES.slice(0, BATCHES_A_MINUTE)) {
      expect(await ask([adoption(name)])).toMatchObject({ taken: 1 });
    }
    expect((await ask([adoption("web-90")])).refusals).toMatchObject([
      { code: "Limit", why: expect.stringMatching(/10 batches of actions within a minute/) },
    ]);
    const { batch } = await ask(NAMES.slice(0, BATCH_MOST).map((name) => adoption(name, preview)));
    const again = { batch, cluster: CLUSTER, requests: [adoption("web-1", preview)] };
    expect(await requestBatch(as("admin"), again)).toMatchObject([
      { code: "Limit", why: expect.stringMatching(/This batch has 100 previews/) },
    ]);
    await database.db.pool.query("UPDATE intents SET requested_at = now() - interval '61 seconds'");
    expect(await ask([adoption("web-90")])).toMatchObject({ taken: 1 });
  });

  test("is answered in its order, and each action is audited with its batch", async () => {
    const { batch, answers } = await ask([adoption("web-7"), adoption("web-1")]);
    const names = answers.map((one) => (one.kind === "requested" ? one.intent.object.name : ""));
    expect(names).toEqual(["web-7", "web-1"]);
    const entries = await database.db.prisma.auditEntry.findMany({
      where: { action: "intent.request" },
    });
    expect(entries).toHaveLength(2);
    for (const { after, result } of entries) {
      expect(after).toMatchObject({ kind: "adopt", batch });
      expect(result).toBe("applied");
    }
  });

  test("requests only what waits for consent; refused ones do not hold back the others and are audited", async () => {
    const first = await ask([adoption("web-2")]);
    const id = first.answers[0]?.kind === "requested" ? first.answers[0].intent.id : "";
    const { taken, refusals } = await ask([
      adoption("made-up"),
      adoption("web-1"),
      adoption("web-2"),
      adoption("web-3", { id }),
    ]);
    expect(taken).toBe(1);
    expect(refusals).toMatchObject([
      {
        code: "Conflict",
        why: expect.stringContaining("shop/made-up is no longer waiting for consent"),
      },
      { code: "Conflict", why: expect.stringContaining("requested “Adopt load balancer") },
      { code: "Conflict", why: expect.stringContaining("used for another action") },
    ]);
    const refused = { action: "intent.request", result: "refused" };
    expect(await database.db.prisma.auditEntry.count({ where: refused })).toBe(3);
    expect(await database.db.prisma.intent.count()).toBe(2);
  });

  test("requested twice at once is requested once", async () => {
    const requests = NAMES.slice(0, 20).map((name) => adoption(name));
    const body = { batch: randomUUID(), cluster: CLUSTER, requests };
    const answers = await Promise.all([
      requestBatch(as("admin"), body),
      requestBatch(as("admin"), { ...body, requests: requests.toReversed() }),
    ]);
    expect(answers.flat().every(({ kind }) => kind === "requested")).toBe(true);
    expect(await database.db.prisma.intent.count()).toBe(20);
  });

  test.each<Role>(["viewer", "operator"])(
    "as %s is refused as a whole, previews as well",
    async (role) => {
      const many = [adoption("web-1", preview), adoption("web-2", preview)];
      await expect(ask(many, as(role))).rejects.toMatchObject({ code: "Forbidden" });
      const entries = await database.db.prisma.auditEntry.findMany();
      expect(entries).toMatchObject([{ action: "intent.request", result: "refused" }]);
      expect(await database.db.prisma.intent.count()).toBe(0);
    },
  );

  test("of a cluster hidden from its admin is refused as a whole", async () => {
    const { db, actor } = as("admin");
    const restricted = { db, actor: { ...actor, clusters: ["another"] } };
    await expect(ask([adoption("web-1")], restricted)).rejects.toMatchObject({ code: "NotFound" });
    expect(await database.db.prisma.intent.count()).toBe(0);
  });

  test("cannot contain anything else, and needs a known cluster", async () => {
    const removal = adoption("lb-1", {
      kind: "remove-orphan",
      action: { kind: "remove-orphan", balancer: "lb-1" },
      object: { kind: "LoadBalancer", name: "lb-1" },
      confirmation: "lb-1",
    });
    expect((await ask([removal])).refusals).toMatchObject([
      { code: "Invalid", why: expect.stringContaining("cannot be requested in batches") },
    ]);
    const nowhere = { batch: randomUUID(), cluster: "nowhere", requests: [adoption("web-1")] };
    expect(await requestBatch(as("admin"), nowhere)).toMatchObject([{ code: "NotFound" }]);
  });
});

describe("a batch of another action", () => {
  const until = () => Date.now() + 3_600_000;
  const hold = (name: string, over: Partial<RequestedAction> = {}) =>
    adoption(name, {
      kind: "hold",
      action: { kind: "hold", until: until() },
      confirmation: undefined,
      ...over,
    });
  const retry = (name: string) =>
    adoption(name, {
      kind: "retry",
      action: { kind: "retry" },
      scope: "object",
      planHash: undefined,
      confirmation: undefined,
    });

  test("is an operator's, needs the plans that were shown, and is found by its batch", async () => {
    const operator = as("operator");
    const { batch, taken } = await ask([hold("web-1"), hold("web-2")], operator);
    expect(taken).toBe(2);
    const list = {
      cluster: CLUSTER,
      limit: 100,
      sort: { by: "requested", descending: false },
    } as const;
    const found = await listIntents(database.db, { ...list, filter: { batch } });
    expect(found.rows.map(({ object }) => object.name).sort()).toEqual(["web-1", "web-2"]);
    expect(found.rows.every((row) => row.batch === batch)).toBe(true);
    const { refusals } = await ask([hold("web-3", { planHash: undefined })], operator);
    expect(refusals).toMatchObject([
      { code: "Invalid", why: expect.stringMatching(/preview first/) },
    ]);
    await expect(ask([hold("web-4")], as("viewer"))).rejects.toMatchObject({ code: "Forbidden" });
  });

  test("accepts only what the ledger knows, without holding back the others", async () => {
    const { taken, refusals } = await ask([hold("made-up"), hold("web-1")], as("operator"));
    expect(taken).toBe(1);
    expect(refusals).toMatchObject([
      { code: "Conflict", why: expect.stringContaining("shop/made-up no longer exists") },
    ]);
  });

  test("of retries names the loops of each that are not OK", async () => {
    const { answers } = await ask([retry("web-1"), retry("web-2")], as("operator"));
    for (const answer of answers) {
      expect(answer).toMatchObject({
        intent: { action: { kind: "retry", controllers: ["service-lb-controller"] } },
      });
    }
  });
});
