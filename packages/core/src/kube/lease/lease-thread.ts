import type { Clock, Random } from "../../model/time.ts";
import { messageOf } from "../../model/values/message-of.ts";
import type { KubeConnection } from "../calls/kube-client.ts";
import { type Election, runElection } from "./election.ts";
import type { LeaseReport, LeaseThreadData } from "./lease-messages.ts";
import { TermMemory } from "./term-memory.ts";

export interface LeaseThreadOptions {
  readonly data: LeaseThreadData;
  readonly client: KubeConnection;
  readonly clock: Clock;
  readonly random: Random;
  report(report: LeaseReport): void;
}

/**
 * Runs the election in a thread of its own. It takes and renews the Lease only as long as the acting thread shows signs of life: if
 * that is silent for the renew deadline it counts as hanging, and once the Lease has run out another process may lead.
 */
export function electFor({ data, client, clock, random, report }: LeaseThreadOptions): Election {
  const memory = new TermMemory(data.memory);
  return runElection({
    ...data,
    memory,
    client,
    clock,
    random,
    isAttended: () => clock.monotonic() - memory.heard < data.timings.renewDeadlineMs,
    events: { event: (object, text) => report({ kind: "event", object, text }) },
    onStartedLeading: (term) => report({ kind: "started", term }),
    onStoppedLeading: (reason) => report({ kind: "stopped", reason }),
    onHolder: (identity) => report({ kind: "holder", identity }),
    onError: (error) => report({ kind: "failed", error: messageOf(error) }),
    onSlowPath: () => report({ kind: "slowPath" }),
    onRenewed: (renewal) => report({ kind: "renewed", renewal }),
  });
}
