import type { LoadBalancer, LoadBalancerTree, Monitor, Pool, PoolTree } from "./observed.ts";
import type { Reads } from "./reads.ts";

/** Reads the parts of one load balancer; undefined for one that was not to be read. */
export type InsideReader = (loadBalancer: LoadBalancer) => Promise<LoadBalancerTree["inside"]>;

/** Up to this many are read one by one; for more, one listing of everything is cheaper. */
const FEW = 3;

/** Creates a reader of load balancers' parts, which reads them together, and each once however many Services share it. */
export function insideReader(
  reads: Reads,
  all: readonly LoadBalancer[],
  needsDetails: (loadBalancer: LoadBalancer) => boolean,
): InsideReader {
  const ids = new Set(all.map(({ id }) => id));
  const isFew = ids.size <= FEW;
  let listings: ReturnType<typeof listAll> | undefined;
  let monitors: Promise<readonly Monitor[]> | undefined;
  const trees = new Map<string, Promise<LoadBalancerTree["inside"]>>();
  const readMonitors = () => {
    monitors ??= reads.monitors();
    return monitors;
  };
  const read = async (loadBalancer: LoadBalancer) => {
    const { id } = loadBalancer;
    if (loadBalancer.listeners.length === 0 && loadBalancer.pools.length === 0)
      return { listeners: [], pools: [] };
    listings ??= isFew ? undefined : listAll(reads);
    const [listeners, pools] = await (listings ?? listOf(reads, id));
    const isInside = (one: { readonly loadbalancers: readonly string[] }) =>
      one.loadbalancers.includes(id);
    const own = pools.filter(isInside);
    const statuses = own.some(({ members }) => members.length > 0)
      ? await reads.memberStatuses(id)
      : new Map();
    const parts = { statuses, readMonitors, needsDetails: needsDetails(loadBalancer) };
    const trees = own.map((pool) => poolTree(reads, pool, parts));
    return { listeners: listeners.filter(isInside), pools: await Promise.all(trees) };
  };
  return (loadBalancer) => {
    if (!ids.has(loadBalancer.id)) return Promise.resolve(undefined);
    const known = trees.get(loadBalancer.id) ?? read(loadBalancer);
    trees.set(loadBalancer.id, known);
    return known;
  };
}

function listAll(reads: Reads) {
  return Promise.all([reads.listeners(), reads.pools()]);
}

function listOf(reads: Reads, id: string) {
  return Promise.all([reads.listeners(id), reads.pools(id)]);
}

interface PoolParts {
  readonly statuses: ReadonlyMap<string, PoolTree["tree"]>;
  readMonitors(): Promise<readonly Monitor[]>;
  readonly needsDetails: boolean;
}

/**
 * With an HTTP monitor, the monitor ports of members matter as well, and with a requested member subnet, their subnets: only a
 * listing of the members contains them.
 */
async function poolTree(
  reads: Reads,
  pool: Pool,
  { statuses, readMonitors, needsDetails }: PoolParts,
): Promise<PoolTree> {
  const monitors = pool.healthmonitor_id === "" ? [] : await readMonitors();
  const monitor = monitors.find(({ id }) => id === pool.healthmonitor_id);
  const hasDetails = (needsDetails || monitor?.type === "HTTP") && pool.members.length > 0;
  const tree = hasDetails ? await reads.members(pool.id) : (statuses.get(pool.id) ?? []);
  return { ...pool, tree, hasDetails, monitor };
}
