import type { ShadowRow } from "@cloudwright/store/views/shadow";
import { describe, expect, it } from "vitest";
import { dryRunLine, dryRunSentence } from "./dry-run-messages.ts";

const SHADOW = { identity: "ctl-9", version: "1", heardAt: 0, leader: true };

describe("the summary of a dry run", () => {
  it.each([
    [undefined, [0, 0, 0], "No controller has done a dry run in this cluster."],
    [SHADOW, [0, 0, 0], "The dry run has not observed anything yet."],
    [SHADOW, [1, 1, 0], "1 of 1 object would be changed."],
    [SHADOW, [1_200, 2, 3], "2 of 1,200 objects would be changed; blocked or failed: 3."],
  ] as const)("of %j and %j", (shadow, [all, changes, stopped], sentence) => {
    expect(dryRunSentence({ shadow, counts: { all, changes, stopped } })).toBe(sentence);
  });
});

const ROW: ShadowRow = {
  controller: "service-lb-controller",
  object: { kind: "Service", namespace: "shop", name: "web", uid: "u" },
  runId: "r-1",
  at: 0,
  outcome: "unchanged",
  reason: { code: "BalancerMissing", provider: "sandbox" },
  changes: [],
  notTaken: [],
  next: { kind: "settled", reason: { code: "BalancerInStep", members: 3 } },
};
const WEB = { kind: "Service", namespace: "shop", name: "web" } as const;
const API = { ...WEB, name: "api" } as const;
const OF_CLOUD = {
  target: { kind: "LoadBalancer", name: "lb-7" },
  before: { what: "load balancer" },
} as const;
const REASON = { code: "FinalizerMissing" } as const;
const change = {
  system: "cluster",
  ...{ target: WEB, before: null, after: null, reason: REASON },
} as const;

describe("what would be done with an object", () => {
  it("is every change, without the object that the row already names", () => {
    const changes = [
      { ...change, kind: "service.finalizer.add" },
      { ...change, kind: "service.status.write" },
    ] as const;
    expect(dryRunLine({ ...ROW, changes })).toBe("Add the finalizer; Publish the address.");
  });

  it.each<[string, Partial<ShadowRow["changes"][number]>]>([
    ["Create listener 443/TCP.", { kind: "balancer.create", after: { what: "listener 443/TCP" } }],
    ["Create the load balancer.", { kind: "balancer.create" }],
    [
      "Create the route to 10.0.3.0/24.",
      { kind: "route.create", after: { destination: "10.0.3.0/24" } },
    ],
    ["Delete the load balancer of Service shop/api.", { kind: "balancer.delete", target: API }],
    ["Delete load balancer lb-7.", { kind: "balancer.delete", ...OF_CLOUD }],
    [
      "Remove the uninitialized taint, unfinished, from Service shop/web.",
      { kind: "node.override" },
    ],
    ["Write the labels of Service shop/web.", { kind: "service.labels.write" }],
  ])("is %j", (line, over) => {
    const changes = [{ ...change, kind: "service.finalizer.add", ...over } as const];
    expect(dryRunLine({ ...ROW, changes })).toBe(line);
  });

  it("is otherwise what blocks it, or what already holds", () => {
    const notTaken = [{ step: "deletion", reason: { code: "BalancerWithoutMembers" } }] as const;
    expect(dryRunLine({ ...ROW, notTaken })).toBe(
      "deletion: not done. No node is available for its load balancer.",
    );
    expect(dryRunLine(ROW)).toBe("Its load balancer is in sync, with 3 nodes.");
  });
});
