import {
  type CallContext,
  isProviderError,
  type LoadBalancerObservation,
  type LoadBalancerOwner,
  type ProviderError,
} from "@cloudwright/provider-api";
import { failureOf } from "./calls.ts";
import {
  type FirewallRule,
  isRestricted,
  type LoadBalancer,
  type LoadBalancerReads,
  type ObservedLoadBalancer,
  placesOf,
} from "./load-balancer.ts";
import { hasOwner, loadBalancerName, TAGS, tagOf } from "./owners.ts";

type Observation = LoadBalancerObservation<ObservedLoadBalancer>;
type Answer = readonly [string, Observation];

/** Up to this many are read one by one, by their tags; for more, one listing of everything the cluster owns is cheaper. */
const FEW = 3;
/** The length of a query is limited. */
const NAMES_OF_ONE_QUERY = 100;

/** Returns what exists for each owner, by UID. Throws only when the signal aborts. */
export async function observeLoadBalancers(
  reads: LoadBalancerReads,
  owners: readonly LoadBalancerOwner[],
  context: CallContext,
): Promise<ReadonlyMap<string, Observation>> {
  if (owners.length > FEW) return new Map(await observeMany(reads, owners, context));
  const answers = owners.map(async (owner): Promise<Answer> => {
    return [owner.objectUid, await orFailed(context, () => observeOne(reads, owner, context))];
  });
  return new Map(await Promise.all(answers));
}

async function observeOne(
  reads: LoadBalancerReads,
  owner: LoadBalancerOwner,
  context: CallContext,
): Promise<ObservedLoadBalancer> {
  const target = `${owner.namespace}/${owner.name}`;
  const tags = { [TAGS.cluster]: owner.clusterUid, [TAGS.serviceUid]: owner.objectUid };
  const readRules = () => reads.rules({ tags, target }, context);
  const loadBalancers = await reads.balancers({ tags, target }, context);
  if (loadBalancers.length > 0) {
    const rules = loadBalancers.some(isRestricted) ? await readRules() : undefined;
    return snapshot(owner, { balancers: loadBalancers, candidates: [], rules });
  }
  const [candidates, rules] = await Promise.all([
    readCandidates(reads, [owner], context),
    readRules(),
  ]);
  return snapshot(owner, { balancers: [], candidates: candidates(owner), rules });
}

async function observeMany(
  reads: LoadBalancerReads,
  owners: readonly LoadBalancerOwner[],
  context: CallContext,
): Promise<readonly Answer[]> {
  const clusters = groupBy(owners, ({ clusterUid }) => clusterUid);
  const answers = [...clusters].map(async ([clusterUid, some]): Promise<readonly Answer[]> => {
    const all = await orFailure(context, () =>
      observeCluster(reads, { clusterUid, owners: some }, context),
    );
    return some.map((owner) => [
      owner.objectUid,
      isProviderError(all)
        ? { kind: "failed", error: all }
        : { kind: "known", observed: all.get(owner.objectUid) ?? NOTHING },
    ]);
  });
  return (await Promise.all(answers)).flat();
}

const NOTHING: ObservedLoadBalancer = { balancers: [], candidates: [], rules: [] };

interface ClusterQuestion {
  readonly clusterUid: string;
  readonly owners: readonly LoadBalancerOwner[];
}

async function observeCluster(
  reads: LoadBalancerReads,
  { clusterUid, owners }: ClusterQuestion,
  context: CallContext,
): Promise<ReadonlyMap<string, ObservedLoadBalancer>> {
  const filter = { tags: { [TAGS.cluster]: clusterUid }, target: `${owners.length} Services` };
  const loadBalancers = byService(await reads.balancers(filter, context));
  const without = owners.filter(({ objectUid }) => !loadBalancers.has(objectUid));
  const needsRules = without.length > 0 || [...loadBalancers.values()].flat().some(isRestricted);
  const [candidates, rules] = await Promise.all([
    readCandidates(reads, without, context),
    needsRules ? reads.rules(filter, context).then(byService) : undefined,
  ]);
  return new Map(
    owners.map((owner) => [
      owner.objectUid,
      snapshot(owner, {
        balancers: loadBalancers.get(owner.objectUid) ?? [],
        candidates: loadBalancers.has(owner.objectUid) ? [] : candidates(owner),
        rules: rules === undefined ? undefined : (rules.get(owner.objectUid) ?? []),
      }),
    ]),
  );
}

type Candidates = (owner: LoadBalancerOwner) => readonly LoadBalancer[];

/**
 * Reads load balancers with an owner's name, or at one of its published addresses; for addresses, the cloud only offers a listing
 * of everything.
 */
async function readCandidates(
  reads: LoadBalancerReads,
  owners: readonly LoadBalancerOwner[],
  context: CallContext,
): Promise<Candidates> {
  const named = await readNamed(reads, owners, context);
  const found = new Set(named.flatMap(placesOf));
  const sought = owners.flatMap(({ published = [] }) => published);
  const target = `${sought.length} published addresses`;
  const isFound = sought.every((place) => found.has(place));
  const all = isFound ? named : await reads.balancers({ target }, context);
  const byName = groupBy([...named, ...all], ({ name }) => name);
  const places = all.flatMap((one) => placesOf(one).map((place) => ({ place, one })));
  const byPlace = groupBy(places, ({ place }) => place);
  return (owner) => {
    const standing = (owner.published ?? []).flatMap((place) => byPlace.get(place) ?? []);
    const candidates = [
      ...(byName.get(loadBalancerName(owner)) ?? []),
      ...standing.map(({ one }) => one),
    ];
    return [...new Map(candidates.map((one) => [one.id, one])).values()];
  };
}

async function readNamed(
  reads: LoadBalancerReads,
  owners: readonly LoadBalancerOwner[],
  context: CallContext,
): Promise<readonly LoadBalancer[]> {
  const names = owners.map(loadBalancerName);
  const queries: Promise<readonly LoadBalancer[]>[] = [];
  for (let start = 0; start < names.length; start += NAMES_OF_ONE_QUERY) {
    const some = names.slice(start, start + NAMES_OF_ONE_QUERY);
    queries.push(reads.balancers({ names: some, target: `${some.length} names` }, context));
  }
  return (await Promise.all(queries)).flat();
}

function byService<Tagged extends { readonly tags: Readonly<Record<string, string>> }>(
  items: readonly Tagged[],
): ReadonlyMap<string, readonly Tagged[]> {
  return groupBy(items, (item) => tagOf(item, TAGS.serviceUid) ?? "");
}

interface Parts {
  readonly balancers: readonly LoadBalancer[];
  readonly candidates: readonly LoadBalancer[];
  readonly rules: readonly FirewallRule[] | undefined;
}

/** A cloud that ignores a filter returns more than was requested: only load balancers with the mark belong to the owner. */
function snapshot(
  owner: LoadBalancerOwner,
  { balancers: loadBalancers, candidates, rules }: Parts,
): ObservedLoadBalancer {
  return {
    balancers: loadBalancers.filter((loadBalancer) => hasOwner(loadBalancer, owner)),
    candidates: candidates.filter((loadBalancer) => !hasOwner(loadBalancer, owner)),
    ...(rules === undefined ? {} : { rules: rules.filter((rule) => hasOwner(rule, owner)) }),
  };
}

async function orFailed(
  context: CallContext,
  observe: () => Promise<ObservedLoadBalancer>,
): Promise<Observation> {
  const observed = await orFailure(context, observe);
  return isProviderError(observed)
    ? { kind: "failed", error: observed }
    : { kind: "known", observed };
}

async function orFailure<Value>(
  context: CallContext,
  ask: () => Promise<Value>,
): Promise<Value | ProviderError> {
  try {
    return await ask();
  } catch (error) {
    return failureOf(error, "GET /v1/load-balancers", context);
  }
}

/** Groups the items by key; each group keeps the order of the items. */
function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
