/**
 * A leader that writes as fast as it may, for tests that stop it: by a client whose limit delays writes, by one whose writes wait
 * for their connection, and by Events. It reports to its parent when it leads, and in the end what was refused.
 */

import { loadKubeConfig } from "../access/kubeconfig.ts";
import { createKubeClient } from "../calls/kube-client.ts";
import { CONFIG_MAPS, NODES } from "../client.ts";
import { createEventRecorder } from "../events/events.ts";
import type { Election } from "../lease/election.ts";
import { leaseThreads, runThreadedElection } from "../lease/threaded-election.ts";
import { systemClock } from "../system-clock.ts";

const WRITE_EVERY_MS = 2;
const LIMITED = { qps: 1, burst: 1 };
const UNLIMITED = { qps: 0, burst: 1 };

const way = { master: process.argv[2] ?? "", kubeconfig: "" };
const access = await loadKubeConfig({ ...way, clock: systemClock });
const userAgent = "busy-leader";
const shared = { access, clock: systemClock, userAgent };
const election: Election = runThreadedElection({
  startThread: leaseThreads({ ...way, userAgent }),
  namespace: "kube-system",
  name: "ccm",
  identity: "one",
  // Long enough that a busy machine does not end the term before the test does.
  timings: { leaseDurationMs: 4_000, renewDeadlineMs: 3_000, retryPeriodMs: 500 },
  clock: systemClock,
  onStartedLeading: work,
  onStoppedLeading: (reason) => void end(reason),
});
let refused = 0;
let pending = 0;

function work(): void {
  const fence = () => election.isLeader();
  const limited = createKubeClient({ ...shared, ...LIMITED, fence });
  const unlimited = createKubeClient({ ...shared, ...UNLIMITED, fence });
  const events = createEventRecorder({
    client: unlimited,
    source: "test",
    instance: "one",
    clock: systemClock,
    random: Math.random,
  });
  const record = { resource: CONFIG_MAPS, namespace: "kube-system", name: "cloudwright-controls" };
  let count = 0;
  setInterval(() => {
    count += 1;
    const name = `w-${count}`;
    const target = { resource: NODES, name };
    void settle(limited.patch(target, { kind: "merge", body: {} }));
    void settle(unlimited.delete(target, { uid: name }));
    void settle(unlimited.update(record, { data: {} } as object));
    events.event(
      { apiVersion: "v1", kind: "Node", name },
      { type: "Normal", reason: "Test", message: name },
    );
  }, WRITE_EVERY_MS);
  process.send?.({ type: "leads" });
}

async function settle(write: Promise<unknown>): Promise<void> {
  pending += 1;
  try {
    await write;
  } catch (error) {
    if (error instanceof Error && error.message.includes("not the leader")) refused += 1;
  } finally {
    pending -= 1;
  }
}

/** Waits until everything that was waiting when it was stopped has had its turn. */
async function end(reason: string): Promise<void> {
  const waiting = pending;
  while (refused < waiting) await new Promise((resolve) => setTimeout(resolve, 10));
  process.send?.({ type: "stopped", reason, refused }, () => process.exit(0));
}
