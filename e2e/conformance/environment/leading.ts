import { KubeFailure, type KubeObject } from "../../harness/kube.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "./isolated.ts";
import { createInstance, createNode, initialised, internal } from "./objects.ts";

/** The defaults of `--leader-elect-lease-duration` and its companions. */
export const LEASE_MS = 15_000;
export const RENEW_DEADLINE_MS = 10_000;
export const RETRY_MS = 2_000;

export interface Lease extends KubeObject {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly leaseTransitions?: number;
    readonly renewTime?: string;
  };
}

export interface LeasePlace {
  readonly name: string;
  readonly namespace: string;
}

/** Returns the row's Lease, or another one; undefined if there is none. */
export async function leaseOf(
  { kube, lease }: IsolatedEnvironment,
  place: Partial<LeasePlace> = {},
): Promise<Lease | undefined> {
  try {
    return await kube.get<Lease>(leasePath({ name: lease, namespace: "kube-system", ...place }));
  } catch (error) {
    if (error instanceof KubeFailure && error.status === 404) return undefined;
    throw error;
  }
}

export function leasePath({ name, namespace }: LeasePlace): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
}

/**
 * Starts the successor of a process that has ended on its spool, as a supervisor would: it writes what a busy machine left there.
 * It runs no controller.
 */
export async function startSuccessorOf(env: IsolatedEnvironment, { name }: Replica): Promise<void> {
  await env.start({ name, flags: { "--controllers": "-service" } });
}

/** Waits until exactly one of them leads. */
export async function leaderAmong(
  replicas: readonly Replica[],
  withinMs = 30_000,
): Promise<Replica> {
  return eventually(
    async () => {
      const answers = await Promise.all(replicas.map((replica) => leads(replica)));
      const leaders = replicas.filter((_, index) => answers[index] === true);
      same(leaders.length, 1, "the number of leaders");
      const [leader] = leaders;
      demand(leader !== undefined, "nobody leads");
      return leader;
    },
    { withinMs },
  );
}

export function others(replicas: readonly Replica[], than: Replica): Replica {
  const other = replicas.find((replica) => replica !== than);
  if (other === undefined) throw new Error("there is no other replica");
  return other;
}

/** Reports whether the replica itself says that it leads. */
export async function leads(replica: Replica): Promise<boolean> {
  return (await replica.ask("/readyz?verbose"))?.body.includes("leadership ok (leader)") ?? false;
}

/** Starts two replicas, named a and b, one of which leads. */
export async function startPair(
  env: IsolatedEnvironment,
  options: Parameters<IsolatedEnvironment["start"]>[0] = {},
): Promise<{ readonly leader: Replica; readonly standby: Replica }> {
  const replicas = await Promise.all(["a", "b"].map((name) => env.start({ ...options, name })));
  const leader = await leaderAmong(replicas);
  return { leader, standby: others(replicas, leader) };
}

/** Creates a machine and its Node, and waits until the leader has initialised it. */
export async function becomesInitialised(env: IsolatedEnvironment, name: string): Promise<void> {
  await createInstance(env, name, { addresses: [internal("10.201.0.1")] });
  await createNode(env, name);
  await initialised(env, name);
}

/** Returns the messages of the Events about the row's Lease, oldest first. */
export async function electionEvents({ kube, lease }: IsolatedEnvironment): Promise<string[]> {
  const { items } = await kube.list<ElectionEvent>("/api/v1/namespaces/kube-system/events");
  return items
    .filter(
      ({ reason, involvedObject }) => reason === "LeaderElection" && involvedObject.name === lease,
    )
    .map(({ message }) => message);
}

interface ElectionEvent extends KubeObject {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string };
}
