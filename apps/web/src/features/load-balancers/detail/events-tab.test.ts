import type { AuditRow, RunRow } from "@cloudwright/store/views/views";
import { expect, it } from "vitest";
import { ledgerEvents } from "./events-tab.tsx";

function run(id: string, over: Partial<RunRow>): RunRow {
  return {
    id,
    controller: "service-lb-controller",
    object: { kind: "Service", namespace: "shop", name: "web", uid: "u" },
    trigger: { kind: "period" },
    attempt: 1,
    outcome: "failed",
    reason: { code: "BalancerWithoutMembers" },
    startedAt: 1_000,
    queuedMs: 0,
    durationMs: 50,
    cloudCalls: 1,
    kubeCalls: 0,
    changes: 0,
    dryRun: false,
    folded: 1,
    ...over,
  };
}

function entry(id: string, over: Partial<AuditRow>): AuditRow {
  return {
    seq: 1,
    id,
    at: 1_020,
    actor: { kind: "controller", id: "ctl-1", name: "service-lb-controller" },
    action: "balancer.members",
    object: undefined,
    why: "The nodes changed.",
    result: "applied",
    before: null,
    after: null,
    runId: "r-1",
    intentId: undefined,
    intent: undefined,
    client: undefined,
    evidence: undefined,
    hash: "",
    ...over,
  };
}

it("shows what was written and what went wrong, newest first", () => {
  const runs = [
    run("r-1", { outcome: "changed" }),
    run("r-2", {}),
    run("r-3", { outcome: "unchanged" }),
    run("r-4", { dryRun: true }),
    run("r-5", { outcome: "running" }),
    run("r-6", { outcome: "waiting", startedAt: 900 }),
  ];
  const entries = [
    entry("e-1", {}),
    entry("e-2", { at: 2_000, actor: { kind: "person", id: "u", name: "ana" }, result: "refused" }),
  ];
  expect(ledgerEvents(runs, entries)).toMatchObject([
    { id: "e-2", what: "Change members", by: "ana", status: { label: "Refused" } },
    {
      id: "r-2",
      at: 1_050,
      what: "Run failed",
      why: "No node is available for its load balancer.",
      runId: "r-2",
    },
    { id: "e-1", by: "Load balancers", status: { label: "Applied" }, runId: "r-1" },
    { id: "r-6", status: { label: "Requeued" } },
  ]);
});
