import { describe, expect, it } from "vitest";
import type { Reason } from "../model/reason.ts";
import { createManualClock } from "../model/testing/manual-clock.ts";
import type { RunOutcome } from "./loop-port.ts";
import { createOutcomeEvents, type OutcomeEvent } from "./outcome-events.ts";
import { runOutcome } from "./testing/run-outcome.ts";

const MISSING: Reason = { code: "ProviderIDMissing", provider: "sandbox" };
const THROTTLED: Reason = { code: "ProviderThrottled", provider: "sandbox", operation: "GET /x" };

function fixture() {
  const clock = createManualClock();
  const events: (OutcomeEvent & { readonly name: string })[] = [];
  const tell = createOutcomeEvents({
    clock,
    emit: ({ name }, event) => events.push({ name, ...event }),
  });
  return { clock, events, tell };
}

function outcome(reason: Reason, more: Partial<RunOutcome> = {}): RunOutcome {
  const failed = { trigger: { kind: "retry" }, outcome: "failed", failures: 1 } as const;
  return runOutcome(reason, { ...failed, state: "working", ...more });
}

describe("outcome events", () => {
  it("are called as a controller calls its own, and else by their Reason", () => {
    const events: OutcomeEvent[] = [];
    const tell = createOutcomeEvents({
      clock: createManualClock(),
      wording: ({ outcome: ended }) =>
        ended === "failed" ? { reason: "SyncLoadBalancerFailed", message: "Error" } : undefined,
      emit: (_object, event) => events.push(event),
    });
    tell(outcome(MISSING));
    tell(outcome(THROTTLED, { outcome: "blocked" }));
    expect(events).toMatchObject([
      { type: "Warning", reason: "SyncLoadBalancerFailed", message: "Error" },
      { type: "Warning", reason: "ProviderThrottled" },
    ]);
  });

  it("warns at the first failure with the model's own sentence", () => {
    const { events, tell } = fixture();
    tell(outcome(MISSING));
    expect(events).toEqual([
      {
        name: "w-1",
        type: "Warning",
        reason: "ProviderIDMissing",
        message:
          "Sandbox reports no provider ID for this instance. Set the node's provider ID, or let the cloud report one.",
      },
    ]);
  });

  it("warns once of what was dealt with, as long as it stays so", async () => {
    const { clock, events, tell } = fixture();
    const twice = (address: string) =>
      outcome({ code: "AddressDuplicate", type: "InternalIP", address }, { outcome: "unchanged" });
    tell(twice("10.0.0.1"));
    await clock.advance(3_600_000);
    tell(twice("10.0.0.1"));
    expect(events.map(({ reason }) => reason)).toEqual(["AddressDuplicate"]);
  });

  it("warns of what a settled object lacks", () => {
    const { events, tell } = fixture();
    tell(outcome({ code: "AddressesMissing", provider: "sandbox" }, { outcome: "unchanged" }));
    expect(events.map(({ reason }) => reason)).toEqual(["AddressesMissing"]);
  });

  it("says the same again only every five minutes, and a new reason at once", async () => {
    const { clock, events, tell } = fixture();
    for (let round = 0; round < 11; round++) {
      tell(outcome(MISSING));
      await clock.advance(30_000);
    }
    expect(events).toHaveLength(2);
    tell(outcome(THROTTLED));
    tell(outcome(THROTTLED, { object: { kind: "Node", name: "w-2" } }));
    expect(events.slice(2).map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "w-1 ProviderThrottled",
      "w-2 ProviderThrottled",
    ]);
  });

  it("says at once which other mistake somebody made while correcting one", () => {
    const { events, tell } = fixture();
    const mistake = (value: string): Reason => ({
      code: "ServiceInvalid",
      field: "loadBalancerSourceRanges",
      value,
      problem: "a source range is a CIDR such as 10.0.0.0/8",
    });
    for (const value of ["10.0.0.1", "10.0.0.1", "10.0.0.2"]) {
      tell(outcome(mistake(value), { outcome: "blocked" }));
    }
    expect(events.map(({ message }) => /"([^"]+)"/.exec(message)?.[1])).toEqual([
      "10.0.0.1",
      "10.0.0.2",
    ]);
  });

  it("warns again after the object was well in between", () => {
    const { events, tell } = fixture();
    tell(outcome(MISSING));
    tell(outcome({ code: "InStep" }, { outcome: "unchanged", state: "ok" }));
    tell(outcome(MISSING));
    expect(events).toHaveLength(2);
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
  ])("keeps silent about %s", (_what, quiet) => {
    const { events, tell } = fixture();
    tell(quiet);
    expect(events).toEqual([]);
  });
});
