import { expect, it } from "vitest";
import type { Clock } from "../../model/time.ts";
import { createLeaseApi, type LeaseApi } from "../testing/lease-api.ts";
import { leaseThreadIn } from "../testing/lease-thread-in.ts";
import { createManualClock, type ManualClock } from "../testing/manual-clock.ts";
import type { LeaseReport } from "./lease-messages.ts";
import { TermMemory } from "./term-memory.ts";
import {
  type LeaseThreadListener,
  runThreadedElection,
  type StartLeaseThread,
} from "./threaded-election.ts";

const TIMINGS = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

/** A main thread that can be busy: meanwhile it receives neither its timers nor the other thread's reports. */
class BusyThread {
  readonly #late: (() => void)[] = [];
  #isBusy: boolean = false;

  clockOf(clock: ManualClock): Clock {
    return { ...clock, after: (ms, callback) => clock.after(ms, () => this.do(callback)) };
  }

  do(work: () => void): void {
    if (this.#isBusy) this.#late.push(work);
    else work();
  }

  isBusyFor(): void {
    this.#isBusy = true;
  }

  isFree(): void {
    this.#isBusy = false;
    for (const work of this.#late.splice(0)) work();
  }
}

function candidate(startThread: StartLeaseThread, clock: Clock, identity = "one") {
  const log: string[] = [];
  const election = runThreadedElection({
    namespace: "kube-system",
    name: "ccm",
    identity,
    timings: TIMINGS,
    clock,
    startThread,
    onStartedLeading: () => log.push("started"),
    onStoppedLeading: (reason) => log.push(`stopped ${reason}`),
    onError: (error) => log.push(String(error)),
  });
  return { election, log };
}

function busyLeader(api: LeaseApi, clock: ManualClock) {
  const main = new BusyThread();
  const inner = leaseThreadIn(api.client, clock);
  const startThread: StartLeaseThread = (data, listener) =>
    inner(data, {
      ...listener,
      onReport: (report) => main.do(() => listener.onReport(report)),
    });
  return { main, ...candidate(startThread, main.clockOf(clock)) };
}

it("keeps its Lease while its main thread is busy for almost as long as the deadline", async () => {
  const clock = createManualClock();
  const api = createLeaseApi({ watchable: true });
  const { main, election, log } = busyLeader(api, clock);
  await clock.advance(1_000);
  main.isBusyFor();
  await clock.advance(9_900);
  expect(api.lease?.spec?.renewTime).toBe("2026-01-01T00:00:10.000000Z");
  expect(election.isLeader()).toBe(true);
  main.isFree();
  await clock.advance(60_000);
  expect(log).toEqual(["started"]);
  await election.stop();
});

it("survives a main thread that is busy for longer, as long as its last renewal is valid", async () => {
  const clock = createManualClock();
  const api = createLeaseApi({ watchable: true });
  const { main, election, log } = busyLeader(api, clock);
  await clock.advance(1_000);
  main.isBusyFor();
  await clock.advance(20_500);
  expect(api.lease?.spec?.renewTime).toBe("2026-01-01T00:00:10.000000Z");
  main.isFree();
  await clock.advance(60_000);
  expect(log).toEqual(["started"]);
  await election.stop();
});

it("lets another one take over from a main thread that hangs, which may not write when it resumes", async () => {
  const clock = createManualClock();
  const api = createLeaseApi({ watchable: true });
  const { main, election, log } = busyLeader(api, clock);
  await clock.advance(1_000);
  main.isBusyFor();
  await clock.advance(1);
  const two = candidate(leaseThreadIn(api.client, clock), clock, "two");
  await clock.advance(24_998);
  // Its last sign of life was at 1 s, so its last renewal was at 10 s.
  expect([election.isLeader(), two.election.isLeader()]).toEqual([false, true]);
  expect(api.lease?.spec?.leaseTransitions).toBe(1);
  main.isFree();
  expect(election.isLeader()).toBe(false);
  await clock.advance(0);
  expect(log).toEqual(["started", "stopped renewalFailed"]);
  await two.election.stop();
});

it("does not compete while its main thread hangs", async () => {
  const clock = createManualClock();
  const api = createLeaseApi({ watchable: true });
  const holder = candidate(leaseThreadIn(api.client, clock), clock, "zero");
  await clock.advance(0);
  const { main, election } = busyLeader(api, clock);
  await clock.advance(1_000);
  main.isBusyFor();
  await clock.advance(10_000);
  await holder.election.stop();
  await clock.advance(30_000);
  expect(api.lease?.spec?.holderIdentity).toBe("");
  main.isFree();
  await clock.advance(5_000);
  expect(election.isLeader()).toBe(true);
  await election.stop();
});

it("notices a takeover before the report of it arrives", async () => {
  const clock = createManualClock();
  const api = createLeaseApi({ watchable: true });
  const { main, election, log } = busyLeader(api, clock);
  await clock.advance(500);
  main.isBusyFor();
  api.edit((lease) => ({ ...lease, spec: { ...lease.spec, holderIdentity: "kubectl" } }));
  await clock.advance(0);
  expect([log, election.isLeader()]).toEqual([["started"], false]);
  main.isFree();
  expect(log).toEqual(["started", "stopped takenOver"]);
});

it("no longer leads once its thread died, and reports why", async () => {
  const clock = createManualClock();
  const { thread, listener, memory } = scriptedThread();
  const { election, log } = candidate(thread, clock);
  lead(listener(), memory(), clock);
  expect(election.isLeader()).toBe(true);
  listener().onDeath("no memory is left");
  listener().onDeath("it has ended");
  expect([election.isLeader(), election.mayRenew()]).toEqual([false, true]);
  expect(log).toEqual([
    "started",
    "Error: the thread that renews the Lease died: no memory is left",
    "stopped threadDied",
  ]);
  await election.stop();
});

it("starts no work when it gets the Lease while it stops", async () => {
  const clock = createManualClock();
  const { thread, listener, memory } = scriptedThread();
  const { election, log } = candidate(thread, clock);
  const stopped = election.stop();
  lead(listener(), memory(), clock);
  expect(election.isLeader()).toBe(false);
  listener().onReport({ kind: "stopped", reason: "released" });
  listener().onReport({ kind: "over" });
  await stopped;
  expect(log).toEqual(["stopped released"]);
});

/** A thread that does only what a test makes it do. */
function scriptedThread() {
  const made: { listener?: LeaseThreadListener; buffer?: SharedArrayBuffer } = {};
  const thread: StartLeaseThread = (data, listener) => {
    Object.assign(made, { listener, buffer: data.memory });
    return { ask: () => undefined, end: () => Promise.resolve() };
  };
  const there = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error("the thread was not started");
    return part;
  };
  return {
    thread,
    listener: () => there(made.listener),
    memory: () => new TermMemory(there(made.buffer)),
  };
}

function lead({ onReport }: LeaseThreadListener, memory: TermMemory, clock: Clock): void {
  memory.confirm({ monotonic: clock.monotonic(), wall: clock.now() });
  const report: LeaseReport = { kind: "started", term: { identity: "one", leaseTransitions: 0 } };
  onReport(report);
}
