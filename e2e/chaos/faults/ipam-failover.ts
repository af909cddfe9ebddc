import type { Node } from "../../harness/kube.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type Environment, fault } from "../environment.ts";
import { namesOf } from "../fleets/fleet.ts";
import { type Replica, startPair, startReplica, waitToLead } from "../replicas.ts";

/** 4,096 blocks. */
const CLUSTER_CIDR = "10.128.0.0/12";
const BLOCK = /^10\.1(2[89]|3\d|4[0-3])\.\d+\.0\/24$/;
const KILLS_OF_A_ROUND = 2;

const FLAGS = {
  "--allocate-node-cidrs": "true",
  "--cluster-cidr": CLUSTER_CIDR,
  // Slow enough that a wave is not over before the leader dies in it.
  "--kube-api-qps": "100",
  "--kube-api-burst": "20",
};

/**
 * While 200 nodes come at once the leader of two replicas dies by kill -9 at a random moment, and so does the next one: every
 * node has one block in the end, the one that it was given first, and no block is given twice.
 */
export const ipamFailover = fault("ipam-failover", async (env) => {
  const { short, random, fleet } = env;
  const rounds = short ? 1 : 10;
  const perRound = short ? 60 : 200;
  const first = firstRanges(env);
  let [leader, standby] = await startPair(env, () => ({ flags: FLAGS }));
  for (let round = 0; round < rounds; round++) {
    const names = namesOf(`ipam-${round}`, perRound);
    const joined = fleet.join(names);
    const moments = Array.from({ length: KILLS_OF_A_ROUND }, () => random() * perRound);
    for (const moment of moments.sort((one, other) => one - other)) {
      await untilGiven(env, names, Math.floor(moment));
      [leader, standby] = await failOver(env, leader, standby);
    }
    await joined;
    await settled(env);
  }
  for (const [name, range] of first) same(rangesOf(fleet.nodes.get(name)), [range], name);
  return `${rounds * KILLS_OF_A_ROUND} kills, ${fleet.names.length} blocks, none twice`;
});

/** What each node was seen with first: a range is given once and for all. */
function firstRanges({ fleet, after }: Environment): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  const end = fleet.nodes.onChange((_type, node) => {
    const [range] = rangesOf(node);
    const { name } = node.metadata;
    if (range !== undefined && !first.has(name)) first.set(name, range);
  });
  after(end);
  return first;
}

async function untilGiven(
  { fleet }: Environment,
  names: readonly string[],
  count: number,
): Promise<void> {
  const given = () => names.filter((name) => rangesOf(fleet.nodes.get(name)).length > 0).length;
  await eventually(() => demand(given() >= count, `${given()} of ${count} have a range`), {
    withinMs: 60_000,
    on: fleet.nodes,
  });
}

async function failOver(
  env: Environment,
  leader: Replica,
  standby: Replica,
): Promise<[Replica, Replica]> {
  await leader.running.stop("SIGKILL");
  await waitToLead(standby);
  return [standby, await startReplica(env, leader.name, { flags: FLAGS })];
}

function settled({ fleet }: Environment): Promise<void> {
  return eventually(
    () => {
      fleet.check();
      const ranges = fleet.names.map((name) => rangesOf(fleet.nodes.get(name)).join());
      const odd = ranges.filter((range) => !BLOCK.test(range));
      same(odd, [], "the ranges that are no single block");
      same(new Set(ranges).size, fleet.names.length, "how many different blocks there are");
    },
    { withinMs: 120_000, on: fleet.nodes },
  );
}

function rangesOf(node: Node | undefined): readonly string[] {
  return node?.spec.podCIDRs ?? [];
}
