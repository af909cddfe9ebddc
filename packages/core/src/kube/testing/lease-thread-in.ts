import type { Clock } from "../../model/time.ts";
import type { KubeConnection } from "../calls/kube-client.ts";
import { electFor } from "../lease/lease-thread.ts";
import type { StartLeaseThread } from "../lease/threaded-election.ts";

/** Runs the program of the thread that renews a Lease in this thread: its reports arrive at once. */
export function leaseThreadIn(client: KubeConnection, clock: Clock): StartLeaseThread {
  return (data, { onReport }) => {
    const election = electFor({ data, client, clock, random: () => 0, report: onReport });
    return {
      ask: () => void election.stop().then(() => onReport({ kind: "over" })),
      end: () => Promise.resolve(),
    };
  };
}
