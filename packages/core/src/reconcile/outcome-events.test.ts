import { describe, expect, it } from "vitest";
import { eventText } from "../kube/events/event-object.ts";
import type { Reason } from "../model/reason.ts";
import { createManualClock } from "../model/testing/manual-clock.ts";
import type { RunOutcome } from "./loop-port.ts";
import { outcomeEvents, outcomeReport, type Reported } from "./outcome-events.ts";
import { runOutcome } from "./testing/run-outcome.ts";

const MISSING: Reason = { code: "ProviderIDMissing", provider: "sandbox" };
const THROTTLED: Reason = { code: "ProviderThrottled", provider: "sandbox", operation: "GET /x" };

/** Returns functions that run one object repeatedly and report each outcome. */
function fixture() {
  const clock = createManualClock();
  const reported: Reason[] = [];
  let last: Reported | undefined;
  const run = (ended: RunOutcome) => {
    const report = outcomeReport(ended, last, clock.monotonic());
    last = report.reported;
    if (report.isNews) reported.push(ended.reason);
  };
  return { clock, reported, run, codes: () => reported.map(({ code }) => code) };
}

function outcome(reason: Reason, more: Partial<RunOutcome> = {}): RunOutcome {
  const failed = { trigger: { kind: "retry" }, outcome: "failed", failures: 1 } as const;
  return runOutcome(reason, { ...failed, state: "working", ...more });
}

describe("the Event of an outcome", () => {
  const web = { kind: "Service", name: "web", namespace: "shop", uid: "u-1" } as const;

  it("has the Reason's code and the model's sentence for it", () => {
    expect(outcomeEvents({ kind: "Node", name: "w-1" }, MISSING)[0]).toEqual({
      kind: "event",
      target: { apiVersion: "v1", kind: "Node", name: "w-1" },
      event: {
        type: "Warning",
        reason: "ProviderIDMissing",
        message:
          "Sandbox reports no provider ID for this instance. Set the node's provider ID, or let the cloud report one.",
      },
    });
  });

  it("has the controller's wording, on the object with its namespace and UID", () => {
    const words = eventText("SyncLoadBalancerFailed", "Error");
    expect(outcomeEvents(web, MISSING, words)[0]).toMatchObject({
      target: { kind: "Service", name: "web", namespace: "shop", uid: "u-1" },
      event: words,
    });
  });

  it.each(["LoadBalancer", "Route", "RouteTable"] as const)(
    "is none where there is only a %s in the cloud",
    (kind) => expect(outcomeEvents({ kind, name: "x" }, MISSING)).toEqual([]),
  );
});

describe("a run's outcome", () => {
  it("warns once of a cause that was dealt with, as long as it lasts", async () => {
    const { clock, codes, run } = fixture();
    const twice = (address: string) =>
      outcome({ code: "AddressDuplicate", type: "InternalIP", address }, { outcome: "unchanged" });
    run(twice("10.0.0.1"));
    await clock.advance(3_600_000);
    run(twice("10.0.0.1"));
    expect(codes()).toEqual(["AddressDuplicate"]);
  });

  it("warns of what a settled object still lacks", () => {
    const { codes, run } = fixture();
    run(outcome({ code: "AddressesMissing", provider: "sandbox" }, { outcome: "unchanged" }));
    expect(codes()).toEqual(["AddressesMissing"]);
  });

  it("repeats the same warning only every five minutes, and reports a new reason at once", async () => {
    const { clock, codes, run } = fixture();
    for (let round = 0; round < 11; round++) {
      run(outcome(MISSING));
      await clock.advance(30_000);
    }
    expect(codes()).toHaveLength(2);
    run(outcome(THROTTLED));
    expect(codes().slice(2)).toEqual(["ProviderThrottled"]);
  });

  it("reports at once the next mistake that somebody made while correcting one", () => {
    const { reported, run } = fixture();
    const mistake = (value: string): Reason => ({
      code: "ServiceInvalid",
      field: "loadBalancerSourceRanges",
      value,
      problem: "a source range is a CIDR such as 10.0.0.0/8",
    });
    for (const value of ["10.0.0.1", "10.0.0.1", "10.0.0.2"]) {
      run(outcome(mistake(value), { outcome: "blocked" }));
    }
    expect(reported).toEqual([mistake("10.0.0.1"), mistake("10.0.0.2")]);
  });

  it("is not forgotten by a run that was interrupted", () => {
    const { codes, run } = fixture();
    run(outcome(MISSING));
    run(outcome({ code: "RunInterrupted" }, { outcome: "interrupted" }));
    run(outcome(MISSING));
    expect(codes()).toEqual(["ProviderIDMissing"]);
  });

  it("warns again after the object was well in between", () => {
    const { codes, run } = fixture();
    run(outcome(MISSING));
    run(outcome({ code: "InStep" }, { outcome: "unchanged", state: "ok" }));
    run(outcome(MISSING));
    expect(codes()).toHaveLength(2);
  });

  it.each<[string, RunOutcome]>([
    [
      "a node of another cloud",
      outcome({ code: "ForeignNode", providerID: "x://1", provider: "s" }, { outcome: "blocked" }),
    ],
    ["a node that a person holds", outcome({ code: "HeldByAnnotation" }, { outcome: "unchanged" })],
    ["a new node's grace", outcome({ code: "NewNodeGrace", untilMs: 1 }, { outcome: "waiting" })],
    ["a run that changed something", outcome({ code: "Initialised" }, { outcome: "changed" })],
    ["a dry run", outcome(MISSING, { dryRun: true })],
    ["an interrupted run", outcome({ code: "RunInterrupted" }, { outcome: "interrupted" })],
  ])("warns of nothing for %s", (_what, quiet) => {
    const { codes, run } = fixture();
    run(quiet);
    expect(codes()).toEqual([]);
  });
});
