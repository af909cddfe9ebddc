import { expect, test } from "vitest";
import { serviceState } from "../../testing/balancer-records.ts";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { auditEntry, CLUSTER } from "../../testing/records.ts";
import { nodeRoutesState, routeCell } from "../../testing/route-records.ts";
import { countWaitingAdoptions, refusalOfAdoption, takeoverOf } from "./takeover.ts";

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

test("what waits for consent is listed, whatever else is the matter, and what was adopted is counted", async () => {
  await database.write(
    serviceState("shop/web", { state: "stuck", reason: { ...UNOWNED, proofs: ["name"] } }),
    serviceState("shop/api", { state: "stuck", reason: { ...STANDS, proofs: ["address"] } }),
    serviceState("shop/fine"),
    nodeRoutesState("w-1", { state: "stuck", reason: { ...ROUTE, proofs: ["range"] } }),
    nodeRoutesState("w-2", { told: { cells: [routeCell({ ownership: "proofs" })] } }),
    nodeRoutesState("w-3", { told: { cells: [routeCell({ ownership: "report" })] } }),
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
  expect(view.adopted).toMatchObject([{ service: "shop/fine", id: "lb-9" }]);
  expect(view.counts).toEqual({ waiting: 3, adopted: 1, nodesByProofs: 1, nodesReported: 1 });
  expect(await countWaitingAdoptions(database.db, CLUSTER)).toBe(3);
});

test("consent is not enough for what is another's or has what others use", () => {
  const others = ["listener 53/UDP"];
  const refusals = [
    { ...UNOWNED, proofs: [...UNOWNED.proofs] },
    { ...UNOWNED, proofs: [...UNOWNED.proofs], others },
    { ...STANDS, proofs: [...STANDS.proofs] },
    { ...STANDS, proofs: [...STANDS.proofs], owner: "the cluster b" },
    { ...ROUTE, proofs: [...ROUTE.proofs] },
  ].map((reason) => refusalOfAdoption({ reason }));
  expect(refusals).toEqual([
    undefined,
    expect.stringContaining("listener 53/UDP"),
    undefined,
    expect.stringContaining("the cluster b"),
    undefined,
  ]);
});
