import type { Found } from "@cloudwright/store/views/find";
import type { RunRow } from "@cloudwright/store/views/views";
import { expect, it } from "vitest";
import { foundEntries } from "./found-entries.ts";

const RUN: RunRow = {
  ...{ id: "r-1", controller: "cloud-node-controller", trigger: { kind: "period" }, attempt: 1 },
  object: { kind: "Node", namespace: undefined, name: "node-5", uid: undefined },
  ...{ outcome: "failed", reason: undefined, startedAt: 0, queuedMs: 0, durationMs: 1 },
  ...{ cloudCalls: 1, kubeCalls: 0, changes: 0, dryRun: false, folded: 1 },
};
const NOTHING: Found = { objects: [], runs: [], runCount: 0, intentId: undefined };

function reported(found: Partial<Found>): readonly string[] {
  return foundEntries("c1", "7f3a9c10", { ...NOTHING, ...found }).map(
    ({ group, label, href }) => `${group}: ${label} → ${href}`,
  );
}

const object = (kind: string, name: string) =>
  ({ kind, name, uid: name, state: "ok", providerID: undefined, address: undefined }) as const;

it.each<[string, Partial<Found>, readonly string[]]>([
  ["nothing", {}, []],
  [
    "objects of several kinds, by kind",
    { objects: [object("Service", "shop/web"), object("Node", "web-1"), object("Moon", "m")] },
    [
      "Nodes: web-1 → /c/c1/nodes/web-1",
      "Load balancers: shop/web → /c/c1/load-balancers/shop/web",
    ],
  ],
  [
    "the one run of a request",
    { runs: [RUN], runCount: 1 },
    ["Runs: Node initialisation of node-5 → /c/c1/runs/r-1"],
  ],
  [
    "a request that many share",
    { runs: [RUN], runCount: 1_200 },
    [
      "Runs: Node initialisation of node-5 → /c/c1/runs/r-1",
      "Runs: All 1,200 runs of this request → /c/c1/runs?q=request%3A7f3a9c10&from=all",
    ],
  ],
  ["an action", { intentId: "i-1" }, ["Actions: Action with this ID → /c/c1/actions/i-1"]],
])("of %s", (_, found, entries) => {
  expect(reported(found)).toEqual(entries);
});
