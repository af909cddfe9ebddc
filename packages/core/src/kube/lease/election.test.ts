import { describe, expect, it } from "vitest";
import type { Clock } from "../../model/time.ts";
import { createLeaseApi, type LeaseApi } from "../testing/lease-api.ts";
import { leaseThreadIn } from "../testing/lease-thread-in.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { type Election, runElection } from "./election.ts";
import { runThreadedElection } from "./threaded-election.ts";

const TIMINGS = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

interface Candidate {
  readonly election: Election;
  readonly log: string[];
  readonly errors: unknown[];
}

type Run = (api: LeaseApi, options: Omit<Parameters<typeof runElection>[0], "client">) => Election;

/** Both must behave identically to others. */
const RUNS: readonly (readonly [string, Run])[] = [
  ["in this thread", (api, options) => runElection({ ...options, client: api.client })],
  [
    "in a thread of its own",
    (api, options) =>
      runThreadedElection({ ...options, startThread: leaseThreadIn(api.client, options.clock) }),
  ],
];

describe.each(RUNS)("an election %s", (_name, run) => {
  function stand(identity: string, api: LeaseApi, clock: Clock): Candidate {
    const log: string[] = [];
    const errors: unknown[] = [];
    const election = run(api, {
      namespace: "kube-system",
      name: "ccm",
      identity,
      timings: TIMINGS,
      clock,
      random: () => 0,
      events: {
        event: (object, text) => {
          log.push(`event on ${object.kind} ${object.namespace}/${object.name}: ${text.message}`);
        },
      },
      onStartedLeading: (term) => log.push(`started ${term.leaseTransitions}`),
      onStoppedLeading: (reason) => log.push(`stopped ${reason}`),
      onSlowPath: () => log.push("slow path"),
      onError: (error) => errors.push(error),
    });
    return { election, log, errors };
  }

  function spec(api: LeaseApi) {
    return api.lease?.spec;
  }

  it("takes a free Lease, and renews it every retry period without reading it", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    expect(one.election.isLeader()).toBe(true);
    expect(spec(api)).toEqual({
      holderIdentity: "one",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-01T00:00:00.000000Z",
      renewTime: "2026-01-01T00:00:00.000000Z",
      leaseTransitions: 0,
    });
    await clock.advance(6_000);
    expect(api.calls).toEqual(["get", "create", "update", "update", "update"]);
    expect(spec(api)?.acquireTime).toBe("2026-01-01T00:00:00.000000Z");
    expect(spec(api)?.renewTime).toBe("2026-01-01T00:00:06.000000Z");
    expect(one.log).toEqual(["event on Lease kube-system/ccm: one became leader", "started 0"]);
    await one.election.stop();
  });

  it("leaves a Lease alone as long as its holder renews it", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    const two = stand("two", api, clock);
    await clock.advance(120_000);
    expect(one.election.isLeader()).toBe(true);
    expect(two.election.isLeader()).toBe(false);
    expect(two.election.leader).toBe("one");
    await Promise.all([one.election.stop(), two.election.stop()]);
  });

  it("hands over at once when the leader releases, by watching", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    const two = stand("two", api, clock);
    await clock.advance(500);
    await one.election.stop();
    await clock.advance(0);
    expect(two.election.isLeader()).toBe(true);
    expect(one.log.slice(-2)).toEqual([
      "event on Lease kube-system/ccm: one stopped leading",
      "stopped released",
    ]);
    expect(two.election.term).toEqual({ identity: "two", leaseTransitions: 1 });
    await two.election.stop();
  });

  it("hands over at the next poll if watching is forbidden, and reports that once", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: false });
    const one = stand("one", api, clock);
    await clock.advance(0);
    const two = stand("two", api, clock);
    await clock.advance(500);
    await one.election.stop();
    await clock.advance(0);
    expect(two.election.isLeader()).toBe(false);
    await clock.advance(2_000);
    expect(two.election.isLeader()).toBe(true);
    await clock.advance(120_000);
    expect(two.errors).toHaveLength(1);
    expect(String(two.errors[0])).toContain("Forbidden");
    await two.election.stop();
  });

  it("leaves the released Lease free and short", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(1_000);
    await one.election.stop();
    expect(spec(api)).toMatchObject({
      holderIdentity: "",
      leaseDurationSeconds: 1,
      leaseTransitions: 0,
    });
    expect(one.election.isLeader()).toBe(false);
  });

  it("takes over from a dead holder once the record has not changed for its own duration", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    // Its clock is an hour ahead and its lease longer than ours: we trust neither beyond the
    // lease's duration.
    api.edit((lease) => ({
      ...lease,
      spec: {
        ...lease.spec,
        holderIdentity: "dead",
        leaseDurationSeconds: 40,
        renewTime: "2026-01-01T01:00:00.000000Z",
      },
    }));
    await clock.advance(0);
    expect(one.log.at(-1)).toBe("stopped takenOver");
    const two = stand("two", api, clock);
    await clock.advance(39_999);
    expect(two.election.isLeader()).toBe(false);
    await clock.advance(1);
    expect(two.election.isLeader()).toBe(true);
    expect(two.election.term?.leaseTransitions).toBe(1);
    await two.election.stop();
  });

  it("measures a dead holder's time from the last renewal that it saw, not from its own last read", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    const two = stand("two", api, clock);
    await clock.advance(4_500);
    // The renewal at 4 s was the last one.
    api.failWith = "Unavailable";
    await clock.advance(12_000);
    api.failWith = undefined;
    await clock.advance(2_499);
    expect(two.election.isLeader()).toBe(false);
    await clock.advance(1);
    expect(two.election.isLeader()).toBe(true);
    await two.election.stop();
    expect(one.log.at(-1)).toBe("stopped renewalFailed");
  });

  it("gives up when no renewal succeeds within the deadline", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(2_000);
    api.failWith = "Unavailable";
    await clock.advance(11_999);
    expect(one.log).not.toContain("stopped renewalFailed");
    await clock.advance(1);
    expect(one.log.at(-1)).toBe("stopped renewalFailed");
    expect(one.election.isLeader()).toBe(false);
    expect(one.errors.length).toBeGreaterThan(0);
    const writes = api.calls.length;
    await clock.advance(60_000);
    expect(api.calls).toHaveLength(writes);
  });

  it("gives up in time when the API server does not answer a renewal", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    api.hang = true;
    await clock.advance(12_000);
    expect(one.log.at(-1)).toBe("stopped renewalFailed");
  });

  it("survives a short outage", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    api.failWith = "Unavailable";
    await clock.advance(9_000);
    api.failWith = undefined;
    await clock.advance(60_000);
    expect(one.election.isLeader()).toBe(true);
    expect(one.log).toContain("slow path");
    await one.election.stop();
  });

  it("refuses to write the moment it resumes after being stopped for longer than the lease", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    const verdicts: boolean[] = [];
    clock.after(1, () => verdicts.push(one.election.isLeader()));
    await clock.jump(20_000);
    expect(verdicts).toEqual([false]);
    expect(one.log.at(-1)).toBe("stopped renewalFailed");
    expect(api.calls).toEqual(["get", "create"]);
  });

  it("sends a renewal only while it can be in time, whatever the wall clock says", async () => {
    const clock = createManualClock();
    let setForwardMs = 0;
    const api = createLeaseApi({ watchable: true });
    const wall = { now: () => clock.now() + setForwardMs };
    const { election, log } = stand("one", api, { ...clock, ...wall });
    expect(election.mayRenew()).toBe(true);
    await clock.advance(0);
    setForwardMs = 3_600_000;
    expect([election.isLeader(), election.mayRenew()]).toEqual([false, true]);
    const verdicts: boolean[] = [];
    clock.after(1, () => verdicts.push(election.mayRenew()));
    await clock.jump(12_000);
    expect(verdicts).toEqual([false]);
    expect(log.at(-1)).toBe("stopped renewalFailed");
    expect(election.mayRenew()).toBe(true);
  });

  it("recreates a deleted Lease, keeps leading and keeps its count", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const zero = stand("zero", api, clock);
    await clock.advance(0);
    await zero.election.stop();
    const one = stand("one", api, clock);
    await clock.advance(0);
    const two = stand("two", api, clock);
    await clock.advance(1_000);
    api.edit(() => undefined);
    await clock.advance(30_000);
    expect(one.election.isLeader()).toBe(true);
    expect(two.election.isLeader()).toBe(false);
    expect(spec(api)).toMatchObject({ holderIdentity: "one", leaseTransitions: 1 });
    await Promise.all([one.election.stop(), two.election.stop()]);
  });

  it("stops at once when somebody else writes another holder", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(500);
    api.edit((lease) => ({ ...lease, spec: { ...lease.spec, holderIdentity: "kubectl" } }));
    await clock.advance(0);
    expect(one.election.isLeader()).toBe(false);
    expect(one.log.slice(-2)).toEqual([
      "event on Lease kube-system/ccm: one stopped leading",
      "stopped takenOver",
    ]);
  });

  it.each([
    ["the machine slept, though its monotonic clock stood still", { wall: 15_000, both: 0 }],
    ["the wall clock was set back, though the lease is over", { wall: -20_000, both: 15_000 }],
  ])("may not write after %s", async (_case, { wall, both }) => {
    const clock = createManualClock();
    const drift = { wall: 0 };
    const drifting = { ...clock, now: () => clock.now() + drift.wall };
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, drifting);
    await clock.advance(0);
    expect(one.election.isLeader()).toBe(true);
    const verdicts: boolean[] = [];
    clock.after(both, () => verdicts.push(one.election.isLeader()));
    drift.wall = wall;
    await clock.jump(both);
    expect(verdicts).toEqual([false]);
    await one.election.stop();
  });

  it("ends when another process has led meanwhile, even if that has released the Lease since", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: false });
    const one = stand("one", api, clock);
    await clock.advance(500);
    const { leaseTransitions = 0 } = spec(api) ?? {};
    api.edit((lease) => ({
      ...lease,
      spec: { ...lease.spec, holderIdentity: "", leaseTransitions: leaseTransitions + 1 },
    }));
    await clock.advance(2_000);
    expect(one.election.isLeader()).toBe(false);
    expect(one.log.at(-1)).toBe("stopped takenOver");
    expect(spec(api)?.holderIdentity).toBe("");
  });

  it("continues when somebody only annotates the Lease", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(500);
    api.edit((lease) => ({ ...lease, metadata: { ...lease.metadata, annotations: { a: "b" } } }));
    await clock.advance(10_000);
    expect(one.election.isLeader()).toBe(true);
    expect(one.log).toContain("slow path");
    expect(api.lease?.metadata?.annotations).toEqual({ a: "b" });
    await one.election.stop();
  });

  it("waits for an API server that is down when it starts", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    api.failWith = "Unavailable";
    const one = stand("one", api, clock);
    await clock.advance(60_000);
    expect(one.election.isLeader()).toBe(false);
    api.failWith = undefined;
    await clock.advance(2_000);
    expect(one.election.isLeader()).toBe(true);
    await one.election.stop();
  });

  it("stops as a standby without touching the Lease", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    await clock.advance(0);
    const two = stand("two", api, clock);
    await clock.advance(100);
    await two.election.stop();
    expect(two.log).toEqual([]);
    expect(spec(api)?.holderIdentity).toBe("one");
    await one.election.stop();
  });

  it("keeps no timer after it stopped", async () => {
    const clock = createManualClock();
    const one = stand("one", createLeaseApi({ watchable: true }), clock);
    await clock.advance(5_000);
    await one.election.stop();
    await clock.advance(0);
    expect(clock.pending).toBe(0);
  });

  it("lets one of two candidates lead that find the Lease free", async () => {
    const clock = createManualClock();
    const api = createLeaseApi({ watchable: true });
    const one = stand("one", api, clock);
    const two = stand("two", api, clock);
    await clock.advance(0);
    expect([one.election.isLeader(), two.election.isLeader()].filter(Boolean)).toHaveLength(1);
    expect([...one.errors, ...two.errors]).toEqual([]);
    await Promise.all([one.election.stop(), two.election.stop()]);
  });
});
