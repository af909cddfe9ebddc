import { accountToken, EVERYTHING, otherKubeconfig } from "../conformance/clusters/accounts.ts";
import { ask, type Flags, type RunningController } from "../harness/controller.ts";
import type { KubeObject } from "../harness/kube.ts";
import { demand, eventually } from "../harness/wait.ts";
import type { Environment } from "./environment.ts";

const LEASE = "chaos-replicas";
const FLAGS: Flags = {
  "--leader-elect": "true",
  "--leader-elect-resource-name": LEASE,
  "--leader-elect-lease-duration": "6s",
  "--leader-elect-renew-deadline": "5s",
  "--leader-elect-retry-period": "500ms",
};

/** One of several controllers of a cluster, of which one leads. */
export interface Replica {
  /** Also of its service account. */
  readonly name: string;
  /** Another one once it was started anew. */
  running: RunningController;
  /** Its end is the fault's doing: it stays dead. */
  forsaken: boolean;
}

/** What distinguishes a replica's traffic from that of the others. */
export interface ReplicaOptions {
  readonly flags?: Flags;
  readonly cloudConfig?: string;
}

interface Lease extends KubeObject {
  readonly spec: { readonly holderIdentity: string; readonly acquireTime: string };
}

/** The leader and a standby. `actionOf` is asked for each by its name. */
export async function startPair(
  env: Environment,
  actionOf: (name: string) => ReplicaOptions = () => ({}),
): Promise<[Replica, Replica]> {
  const first = await startReplica(env, "a", actionOf("a"));
  await eventually(async () => demand(await leads(first), "nobody leads yet"));
  return [first, await startReplica(env, "b", actionOf("b"))];
}

/**
 * With a service account of its own, by which the API server's record distinguishes its requests from those of the other one. It is
 * started anew, as a cluster would, when it ends because a machine that is too busy made it lose the Lease.
 */
export async function startReplica(
  env: Environment,
  name: string,
  { flags, cloudConfig }: ReplicaOptions = {},
): Promise<Replica> {
  const { dir, cluster, kube } = env;
  const token = await accountToken(kube, name, EVERYTHING);
  const kubeconfig = otherKubeconfig(cluster.kubeconfig, { dir, name, token });
  const options = { name, kubeconfig, flags: { ...FLAGS, ...flags } };
  const start = () => env.start(cloudConfig === undefined ? options : { ...options, cloudConfig });
  const replica: Replica = { name, running: await start(), forsaken: false };
  void keepAlive(replica, start);
  return replica;
}

/** How a controller ends that has lost the Lease. */
const LOST = 1;

async function keepAlive(replica: Replica, start: () => Promise<RunningController>): Promise<void> {
  while ((await replica.running.ended) === LOST && !replica.forsaken)
    replica.running = await start();
}

async function leads({ running }: Replica): Promise<boolean> {
  const answer = await ask(running.securePort, "/readyz?verbose");
  return answer?.body.includes("leadership ok (leader)") ?? false;
}

export function waitToLead(replica: Replica): Promise<void> {
  return eventually(async () => demand(await leads(replica), `${replica.name} does not lead yet`));
}

/** When the current leader got the lease, milliseconds since the epoch, by its own clock. */
export async function leadsSince({ kube }: Environment): Promise<number> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${LEASE}`;
  return Date.parse((await kube.get<Lease>(path)).spec.acquireTime);
}
