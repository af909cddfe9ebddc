import { parentPort, workerData } from "node:worker_threads";
import { handedAccess } from "../access/handed-access.ts";
import type { ClusterAccess } from "../access/kubeconfig.ts";
import { createKubeClient } from "../calls/kube-client.ts";
import { systemClock, systemRandom } from "../system-clock.ts";
import type {
  LeaseReport,
  LeaseRequest,
  LeaseThreadAccess,
  LeaseThreadData,
} from "./lease-messages.ts";
import { electFor } from "./lease-thread.ts";
import { TermMemory, termFence } from "./term-memory.ts";

/**
 * A separate thread that holds a Lease: work that keeps the other thread busy for seconds delays no renewal. It has its own
 * connections and no rate limit. An error that it throws ends it, and with it the term.
 */
const { access: way, ...data } = workerData as LeaseThreadData & {
  readonly access: LeaseThreadAccess;
};
const clock = systemClock;
const fence = termFence(new TermMemory(data.memory), { clock, timings: data.timings });
const client = createKubeClient({
  access: way.handed === undefined ? await load() : handedAccess(way.handed, { clock, load }),
  clock,
  userAgent: way.userAgent,
  qps: 0,
  burst: 0,
  fence: () => fence.mayRenew(),
  onCall: (call) => report({ kind: "called", call }),
  onLookup: (lookup) => report({ kind: "lookedUp", lookup }),
});
const election = electFor({ data, client, clock, random: systemRandom, report });

parentPort?.on("message", (request: LeaseRequest) => {
  if (request.kind === "stop") void election.stop().then(() => report({ kind: "over" }));
});

function report(message: LeaseReport): void {
  parentPort?.postMessage(message);
}

/** Loaded only on demand: a thread that was given its access may end before that. */
async function load(): Promise<ClusterAccess> {
  const { loadKubeConfig } = await import("../access/kubeconfig.ts");
  return loadKubeConfig({ kubeconfig: way.kubeconfig, master: way.master, clock });
}
