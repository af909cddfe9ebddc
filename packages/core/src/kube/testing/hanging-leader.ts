/**
 * A leader whose main thread hangs from its parent's command until a file appears, for tests of its Lease meanwhile. When it resumes,
 * it first reports whether it may write.
 */
import { existsSync } from "node:fs";
import { leaseThreads, runThreadedElection } from "../lease/threaded-election.ts";
import { systemClock } from "../system-clock.ts";

const POLL_EVERY_MS = 20;
const keepAlive = setInterval(() => {}, 60_000);
const election = runThreadedElection({
  startThread: leaseThreads({
    master: process.argv[2] ?? "",
    kubeconfig: "",
    userAgent: "hanging-leader",
  }),
  namespace: "kube-system",
  name: "ccm",
  identity: "one",
  timings: { leaseDurationMs: 6_000, renewDeadlineMs: 4_000, retryPeriodMs: 200 },
  clock: systemClock,
  onStartedLeading: () => process.send?.({ type: "leads" }),
  onStoppedLeading: (reason) => {
    process.send?.({ type: "stopped", reason });
    clearInterval(keepAlive);
  },
});

process.on("message", (until: string) => {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(until)) Atomics.wait(nothing, 0, 0, POLL_EVERY_MS);
  process.send?.({ type: "goesOn", mayWrite: election.isLeader() });
});
