import { randomUUID } from "node:crypto";
import { BATCH_MOST } from "@cloudwright/core/model/intent";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, test } from "vitest";
import { serviceState } from "../../testing/balancer-records.ts";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER, heartbeat } from "../../testing/records.ts";
import { type IntentContext, type IntentRequest, requestIntent } from "../request-intent.ts";
import { BATCHES_A_MINUTE, INTENTS_A_MINUTE } from "./room.ts";

const database = useClusterDatabase();
const NAMES = Array.from({ length: BATCH_MOST + 1 }, (_, index) => `web-${index}`);

function as(role: Role): IntentContext {
  return { db: database.db, actor: { id: `id-${role}`, name: role, role } };
}

function adoption(name: string, over: Partial<IntentRequest> = {}): IntentRequest {
  return {
    id: randomUUID(),
    cluster: CLUSTER,
    kind: "adopt",
    wish: { kind: "adopt", balancer: `lb-${name}` },
    controller: "service-lb-controller",
    object: { kind: "Service", namespace: "shop", name, uid: `uid-${name}` },
    why: "INC-13",
    planHash: "h-1",
    confirmation: `lb-${name}`,
    ...over,
  };
}

const preview = { kind: "preview", planHash: undefined, confirmation: undefined } as const;

/** So many, one after the other; how many were taken, and why the others were not. */
async function ask(requests: readonly IntentRequest[], context = as("admin")) {
  const asked = await Promise.allSettled(requests.map((one) => requestIntent(context, one)));
  const refusals = asked.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  return { taken: asked.length - refusals.length, refusals };
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
  test("leaves the room of what is requested one by one, and has a bound of its own", async () => {
    const batch = randomUUID();
    const { taken, refusals } = await ask(NAMES.map((name) => adoption(name, { batch })));
    expect(taken).toBe(BATCH_MOST);
    expect(refusals).toMatchObject([
      { code: "Limit", message: expect.stringMatching(/This batch has 100 actions.*another one/) },
    ]);
    const singles = Array.from({ length: INTENTS_A_MINUTE + 1 }, () => ({
      ...adoption("web-1", preview),
    }));
    const one = await ask(singles);
    expect(one.taken).toBe(INTENTS_A_MINUTE);
    expect(await ask([adoption("web-1", { ...preview, batch: randomUUID() })])).toMatchObject({
      taken: 1,
    });
  });

  test("is one of ten a minute; previews are counted by themselves", async () => {
    const batches = (count: number, over = {}) =>
      NAMES.slice(0, count).map((name) => adoption(name, { batch: randomUUID(), ...over }));
    const { taken, refusals } = await ask(batches(BATCHES_A_MINUTE + 1));
    expect(taken).toBe(BATCHES_A_MINUTE);
    expect(refusals).toMatchObject([{ code: "Limit", message: expect.stringMatching(/10 batch/) }]);
    expect(await ask(batches(BATCHES_A_MINUTE + 2, preview))).toMatchObject({
      taken: BATCHES_A_MINUTE,
    });
    await database.db.pool.query("UPDATE intents SET requested_at = now() - interval '61 seconds'");
    expect(await ask([adoption("web-90", { batch: randomUUID() })])).toMatchObject({ taken: 1 });
  });

  test("is on the record one by one, each with the batch that it was part of", async () => {
    const batch = randomUUID();
    await ask([adoption("web-1", { batch }), adoption("web-2", { batch })]);
    const entries = await database.db.prisma.auditEntry.findMany({
      where: { action: "intent.request" },
    });
    expect(entries).toHaveLength(2);
    for (const { after } of entries) expect(after).toMatchObject({ kind: "adopt", batch });
  });

  test("asks only for what waits for consent, and one that does not keeps none of the others back", async () => {
    const batch = randomUUID();
    const made = adoption("made-up", { batch });
    const { taken, refusals } = await ask([made, adoption("web-1", { batch })]);
    expect(taken).toBe(1);
    expect(refusals).toMatchObject([
      { code: "Conflict", message: expect.stringContaining("shop/made-up waits for no consent") },
    ]);
  });

  test.each<Role>(["viewer", "operator"])(
    "as %s is refused, its previews as well",
    async (role) => {
      const batch = randomUUID();
      const { refusals } = await ask(
        [adoption("web-1", { batch }), adoption("web-2", { ...preview, batch })],
        as(role),
      );
      expect(refusals).toMatchObject([{ code: "Forbidden" }, { code: "Forbidden" }]);
    },
  );

  test("cannot be one of anything else", async () => {
    const release = adoption("web-1", {
      kind: "release",
      wish: { kind: "release" },
      batch: randomUUID(),
    });
    const { refusals } = await ask([release]);
    expect(refusals).toMatchObject([
      { code: "Invalid", message: expect.stringContaining("Only adoptions") },
    ]);
  });
});
