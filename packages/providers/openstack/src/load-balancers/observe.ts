import {
  type CallContext,
  isProviderError,
  type LoadBalancerObservation,
  type LoadBalancerOwner,
  ProviderError,
} from "@cloudwright/provider-api";
import { PROVIDER } from "../config/invalid-config.ts";
import { ADDRESS_ANNOTATION, ID_ANNOTATION, readAnnotations } from "./annotations.ts";
import { attachedTo, isOfOwner } from "./floating-ips.ts";
import { type LoadBalancerConfig, placementOf } from "./networks.ts";
import { type InsideReader, insideReader } from "./observe-inside.ts";
import {
  type FloatingIp,
  isGoing,
  isPending,
  type LoadBalancer,
  type ObservedLoadBalancer,
  type ObservedNetworks,
  type SecurityGroup,
} from "./observed.ts";
import { hasMemberSubnet, hasOwner, marksOf, namesOf, securityGroupName } from "./ownership.ts";
import type { Reads } from "./reads.ts";
import { groupsOf } from "./security-groups.ts";

type Observation = LoadBalancerObservation<ObservedLoadBalancer>;

export interface ObserveOptions {
  readonly reads: Reads;
  readonly config: LoadBalancerConfig;
  readonly context: CallContext;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Returns what exists for each owner, by UID. One listing of load balancers serves all owners; while Octavia is working on all of
 * them, nothing else is read. Throws only when the signal aborts.
 */
export async function observeLoadBalancers(
  options: ObserveOptions,
  owners: readonly LoadBalancerOwner[],
): Promise<ReadonlyMap<string, Observation>> {
  const { context } = options;
  const shared = await orFailure(context, () => observeShared(options, owners));
  if (isProviderError(shared))
    return new Map(owners.map(({ objectUid }) => [objectUid, { kind: "failed", error: shared }]));
  const answers = owners.map(async (owner): Promise<[string, Observation]> => {
    const observed = await orFailure(context, () => observeOne(options, shared, owner));
    return [
      owner.objectUid,
      isProviderError(observed) ? { kind: "failed", error: observed } : { kind: "known", observed },
    ];
  });
  return new Map(await Promise.all(answers));
}

/** What is read once for all owners. */
interface Shared {
  readonly minor: number;
  readonly at: number;
  readonly found: ReadonlyMap<string, Found>;
  readonly floatingIps: readonly FloatingIp[];
  readonly securityGroups: readonly SecurityGroup[];
  readonly networks: ObservedNetworks;
  readonly inside: InsideReader;
}

interface Found {
  readonly owned: readonly LoadBalancer[];
  readonly candidates: readonly LoadBalancer[];
}

async function observeShared(
  options: ObserveOptions,
  owners: readonly LoadBalancerOwner[],
): Promise<Shared> {
  const { reads, now } = options;
  const at = now();
  const [minor, all] = await Promise.all([reads.minor(), reads.loadBalancers()]);
  const there = all.filter(({ provisioning_status }) => provisioning_status !== "DELETED");
  const owned = new Map(
    owners.map((owner) => [owner.objectUid, there.filter((one) => isOwn(one, owner))]),
  );
  const isAtWork = owners.every((owner) => {
    const own = owned.get(owner.objectUid) ?? [];
    return own.length > 0 && own.every(isPending);
  });
  const NOTHING = { external: undefined, subnets: undefined, ports: undefined };
  const [floatingIps, securityGroups] = isAtWork
    ? [[], []]
    : await Promise.all([reads.floatingIps(), readGroups(reads, owners)]);
  const found = foundFor(owners, { there, owned, floatingIps });
  const facts = { owners, found, floatingIps, securityGroups };
  const networks = isAtWork ? NOTHING : await readNetworks(options, facts);
  const placed = new Set(
    owners
      .filter((owner) => asksForMemberSubnet(options, owner))
      .flatMap(({ objectUid }) => found.get(objectUid)?.owned ?? []),
  );
  const relevant = [...found.values()].flatMap((one) => [...one.owned, ...one.candidates]);
  const inside = insideReader(
    reads,
    relevant.filter((one) => !isPending(one)),
    (one) => placed.has(one) || hasMemberSubnet(one),
  );
  return { minor, at, found, floatingIps, securityGroups, networks, inside };
}

function asksForMemberSubnet({ config }: ObserveOptions, owner: LoadBalancerOwner): boolean {
  const made = placementOf(readAnnotations(owner.annotations ?? {}), config);
  return made.kind === "placement" && made.placement.askedMemberSubnetId !== "";
}

/**
 * Matches by mark. While deleting a load balancer, Octavia drops its tags before it is gone, so then by name: nothing can be done
 * but wait, and an unmarked namesake would make a user decide about something that is being deleted.
 */
function isOwn(one: LoadBalancer, owner: LoadBalancerOwner): boolean {
  if (hasOwner(one, owner)) return true;
  return isGoing(one) && namesOf(owner).includes(one.name) && marksOf(one).clusterUid === undefined;
}

/** The length of a query is limited. */
const NAMES_OF_ONE_QUERY = 50;

async function readGroups(
  reads: Reads,
  owners: readonly LoadBalancerOwner[],
): Promise<readonly SecurityGroup[]> {
  const names = owners.map(securityGroupName);
  const queries: Promise<readonly SecurityGroup[]>[] = [];
  for (let start = 0; start < names.length; start += NAMES_OF_ONE_QUERY)
    queries.push(reads.securityGroups({ name: names.slice(start, start + NAMES_OF_ONE_QUERY) }));
  return (await Promise.all(queries)).flat();
}

interface ToFind {
  readonly there: readonly LoadBalancer[];
  readonly owned: ReadonlyMap<string, readonly LoadBalancer[]>;
  readonly floatingIps: readonly FloatingIp[];
}

/** Candidates are only looked for while none has the mark. */
function foundFor(
  owners: readonly LoadBalancerOwner[],
  { there, owned, floatingIps }: ToFind,
): ReadonlyMap<string, Found> {
  return new Map(
    owners.map((owner): [string, Found] => {
      const own = owned.get(owner.objectUid) ?? [];
      if (own.length > 0) return [owner.objectUid, { owned: own, candidates: [] }];
      const candidates = there.filter((one) => isCandidate(one, owner, floatingIps));
      return [owner.objectUid, { owned: [], candidates }];
    }),
  );
}

/** Matches by its name, one of its published addresses, or the id that the Service names. */
function isCandidate(
  loadBalancer: LoadBalancer,
  owner: LoadBalancerOwner,
  floatingIps: readonly FloatingIp[],
): boolean {
  const { id, name, vip_address } = loadBalancer;
  if (namesOf(owner).includes(name) || owner.annotations?.[ID_ANNOTATION] === id) return true;
  const published = new Set(owner.published ?? []);
  const floating = attachedTo(loadBalancer, floatingIps)?.floating_ip_address ?? "";
  const recorded = owner.annotations?.[ADDRESS_ANNOTATION];
  const isRecorded = recorded !== undefined && (floating === recorded || vip_address === recorded);
  return isRecorded || published.has(vip_address) || published.has(floating);
}

interface NetworkFacts {
  readonly owners: readonly LoadBalancerOwner[];
  readonly found: ReadonlyMap<string, Found>;
  readonly floatingIps: readonly FloatingIp[];
  readonly securityGroups: readonly SecurityGroup[];
}

/** Reads only what is needed: to create a load balancer, to give it a floating IP, or to open the nodes to it. */
async function readNetworks(
  { reads, config }: ObserveOptions,
  { owners, found, floatingIps, securityGroups }: NetworkFacts,
): Promise<ObservedNetworks> {
  const isManaged = config.loadBalancer.manageSecurityGroups;
  const lacking = owners.filter(({ objectUid }) => found.get(objectUid)?.owned.length === 0);
  const isPlaced = (owner: LoadBalancerOwner) => {
    const made = placementOf(readAnnotations(owner.annotations ?? {}), config);
    if (made.kind === "unsupported") return true;
    const { subnetId, networkId, portId } = made.placement;
    return subnetId !== "" || networkId !== "" || portId !== "";
  };
  const hasFloatingIp = (one: LoadBalancer) => attachedTo(one, floatingIps) !== undefined;
  const isOutside = (owner: LoadBalancerOwner) =>
    !config.loadBalancer.internalLb &&
    !readAnnotations(owner.annotations ?? {}).isInternal() &&
    !(found.get(owner.objectUid)?.owned ?? []).some(hasFloatingIp);
  const needsPorts =
    isManaged || securityGroups.length > 0 || lacking.some((owner) => !isPlaced(owner));
  const needsExternal = owners.some(isOutside);
  const needsSubnets = isManaged || needsExternal || lacking.length > 0;
  const [ports, subnets, external] = await Promise.all([
    needsPorts ? reads.ports() : undefined,
    needsSubnets ? reads.subnets() : undefined,
    needsExternal ? reads.externalNetworks() : undefined,
  ]);
  return { ports, subnets, external };
}

async function observeOne(
  { config }: ObserveOptions,
  shared: Shared,
  owner: LoadBalancerOwner,
): Promise<ObservedLoadBalancer> {
  const { minor, at, networks, floatingIps, securityGroups } = shared;
  const { owned = [], candidates = [] } = shared.found.get(owner.objectUid) ?? {};
  const withInside = (some: readonly LoadBalancer[]) =>
    Promise.all(some.map(async (one) => ({ ...one, inside: await shared.inside(one) })));
  const [ownTrees, candidateTrees] = await Promise.all([withInside(owned), withInside(candidates)]);
  const all = [...owned, ...candidates];
  const requested = owner.annotations?.[ADDRESS_ANNOTATION];
  const groups = groupsOf(owner, { securityGroups });
  const isGroupUsed = config.loadBalancer.manageSecurityGroups || groups.length > 0;
  return {
    ...{ minor, at, owned: ownTrees, candidates: candidateTrees, securityGroups: groups },
    floatingIps: floatingIps.filter(
      (one) =>
        all.some(({ vip_port_id }) => vip_port_id !== "" && one.port_id === vip_port_id) ||
        isOfOwner(one, owner) ||
        owned.length === 0 ||
        one.floating_ip_address === requested ||
        !all.some((each) => attachedTo(each, floatingIps) !== undefined),
    ),
    networks: {
      ...networks,
      ports: isGroupUsed || owned.length === 0 ? networks.ports : undefined,
    },
  };
}

async function orFailure<Value>(
  context: CallContext,
  ask: () => Promise<Value>,
): Promise<Value | ProviderError> {
  try {
    return await ask();
  } catch (error) {
    context.signal.throwIfAborted();
    if (isProviderError(error)) return error;
    const message = error instanceof Error ? error.message : String(error);
    const call = { provider: PROVIDER, operation: "loadbalancer_list", cause: error };
    return new ProviderError("Unavailable", message, call);
  }
}
