import type { ShadowRow } from "@cloudwright/store/views/shadow";
import { describe, expect, it } from "vitest";
import { dryRunLine, dryRunSentence } from "./dry-run-messages.ts";

const SHADOW = { identity: "ctl-9", version: "1", heardAt: 0, leader: true };

describe("the sentence of a dry run", () => {
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
const REASON = { code: "FinalizerMissing" } as const;

describe("what would be done with an object", () => {
  it("is every change", () => {
    const change = {
      system: "cluster",
      target: WEB,
      before: null,
      after: null,
      reason: REASON,
    } as const;
    const changes = [
      { ...change, kind: "service.finalizer.add" },
      { ...change, kind: "service.status.write" },
    ] as const;
    expect(dryRunLine({ ...ROW, changes })).toBe(
      "Add the finalizer to Service shop/web; Publish the address of Service shop/web.",
    );
  });

  it("is else what stands in the way, or what holds", () => {
    const notTaken = [{ step: "deletion", reason: { code: "BalancerWithoutMembers" } }] as const;
    expect(dryRunLine({ ...ROW, notTaken })).toBe(
      "deletion: not done. No node is available for its load balancer.",
    );
    expect(dryRunLine(ROW)).toBe("Its load balancer is in sync, with 3 nodes.");
  });
});
