import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@cloudwright/core/model/audit/audit";
import { eventMessage } from "@cloudwright/core/model/sentence";
import { expect, test } from "vitest";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { serviceState } from "../../../testing/load-balancer-records.ts";
import { auditEntry, CLUSTER, heartbeat } from "../../../testing/records.ts";
import { nodeRoutesState, routeCell } from "../../../testing/route-records.ts";
import { type IntentContext, requestIntent } from "../../intents/request-intent.ts";
import { countWaitingAdoptions, NO_WAITING, takeoverOf } from "./takeover.ts";

const database = useClusterDatabase();

const UNOWNED = {
  code: "BalancerUnowned",
  provider: "sandbox",
  id: "lb-1",
  name: "a1",
  proofs: ["name"],
} as const;
const STANDS = {
  code: "BalancerStands",
  provider: "sandbox",
  id: "lb-2",
  name: "x",
  proofs: ["address"],
} as const;
const ROUTE = {
  code: "RouteUnowned",
  provider: "sandbox",
  cidr: "10.0.1.0/24",
  id: "r-1",
  proofs: ["range"],
} as const;

test("what waits for consent is listed, whatever other problems there are, and what was adopted is counted", async () => {
  await database.write(
    serviceState("shop/web", { state: "stuck", reason: { ...UNOWNED, proofs: ["name"] } }),
    serviceState("shop/api", { state: "stuck", reason: { ...STANDS, proofs: ["address"] } }),
    serviceState("shop/fine"),
    nodeRoutesState("w-1", { state: "stuck", reason: { ...ROUTE, proofs: ["range"] } }),
    nodeRoutesState("w-2", { reported: { cells: [routeCell({ ownership: "proofs" })] } }),
    nodeRoutesState("w-3", { reported: { cells: [routeCell({ ownership: "report" })] } }),
    auditEntry({
      action: "balancer.adopt",
      object: { kind: "Service", namespace: "shop", name: "fine" },
      after: { what: "load balancer", target: "lb-9", fields: {} },
    }),
  );
  const view = await takeoverOf(database.db, CLUSTER);
  expect(view.waiting.map(({ kind, name, reason }) => [kind, name, reason.code])).toEqual([
    ["Service", "shop/api", "BalancerStands"],
    ["Service", "shop/web", "BalancerUnowned"],
    ["Node", "w-1", "RouteUnowned"],
  ]);
  expect(view.adopted).toMatchObject([{ name: "shop/fine", id: "lb-9", by: "proofs" }]);
  const routes = [{ id: "r-1", destination: "10.244.1.0/24" }];
  expect(view.proven).toMatchObject([{ name: "w-2", routes }]);
  expect(view.reported).toMatchObject([{ name: "w-3", routes }]);
  const waiting = { balancers: 2, routes: 1 };
  const adopted = { proofs: 1, consent: 0, flag: 0 };
  expect(view.counts).toEqual({ waiting, adopted, proven: 1, reported: 1 });
  const counted = await countWaitingAdoptions(database.db, [CLUSTER]);
  expect(counted.get(CLUSTER) ?? NO_WAITING).toEqual(waiting);
});

test("a waiting row says why consent is not enough, and what is already requested for it", async () => {
  await database.write(
    heartbeat(),
    serviceState("shop/web", {
      uid: "uid-web",
      state: "stuck",
      reason: { ...UNOWNED, proofs: ["name"] },
    }),
    serviceState("shop/shared", {
      state: "stuck",
      reason: { ...UNOWNED, proofs: ["name"], others: ["listener 53/UDP"] },
    }),
  );
  const intent = await requestIntent(admin(), {
    id: randomUUID(),
    cluster: CLUSTER,
    kind: "adopt",
    action: { kind: "adopt", balancer: "lb-1" },
    controller: "service-lb-controller",
    object: { kind: "Service", namespace: "shop", name: "web", uid: "uid-web" },
    why: "INC-13",
    planHash: "h-1",
    confirmation: "lb-1",
  });
  const { waiting } = await takeoverOf(database.db, CLUSTER);
  expect(waiting).toMatchObject([
    { name: "shop/shared", refusal: expect.stringContaining("listener 53/UDP"), open: undefined },
    {
      name: "shop/web",
      refusal: undefined,
      open: { id: intent.id, actor: "ana", state: "requested" },
    },
  ]);
});

test("an adopted row says on what basis: two proofs, a user's consent, or the flag", async () => {
  const adopted = (name: string, over: Partial<AuditEntry>) =>
    auditEntry({
      action: "balancer.adopt",
      object: { kind: "Service", namespace: "shop", name },
      after: { what: "load balancer", target: `lb-${name}`, fields: {} },
      ...over,
    });
  const flag = { provider: "sandbox", id: "lb-flag", name: "a1", address: "", isByConsent: true };
  await database.write(
    heartbeat(),
    adopted("web", { at: 1_000 }),
    adopted("flag", { at: 2_000, why: eventMessage({ code: "BalancerAdopted", ...flag }) }),
  );
  const ofRoute = await requestIntent(admin(), {
    id: randomUUID(),
    cluster: CLUSTER,
    kind: "adopt",
    action: { kind: "adopt", route: "r-1" },
    controller: "node-route-controller",
    object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
    why: "INC-14",
    planHash: "h-1",
    confirmation: "r-1",
  });
  await database.db.prisma.intent.update({
    where: { id: ofRoute.id },
    data: { state: "verified" },
  });
  await database.write(adopted("api", { at: 3_000, intentId: ofRoute.id }));
  const { adopted: rows, counts } = await takeoverOf(database.db, CLUSTER);
  expect(rows.map(({ kind, name, id, by, actor }) => [kind, name, id, by, actor])).toEqual([
    ["Node", "w-1", "r-1", "consent", "ana"],
    ["Service", "shop/api", "lb-api", "consent", "ana"],
    ["Service", "shop/flag", "lb-flag", "flag", "ctl-1"],
    ["Service", "shop/web", "lb-web", "proofs", "ctl-1"],
  ]);
  expect(counts.adopted).toEqual({ proofs: 1, consent: 2, flag: 1 });
});

function admin(): IntentContext {
  return { db: database.db, actor: { id: "id-ana", name: "ana", role: "admin" } };
}
