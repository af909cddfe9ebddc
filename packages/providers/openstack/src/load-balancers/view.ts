import { isIP } from "node:net";
import type {
  LoadBalancerAspect,
  LoadBalancerCandidate,
  LoadBalancerFacts,
  LoadBalancerOwner,
  LoadBalancerPlan,
  LoadBalancerSpec,
  LoadBalancerStatus,
  OwnerIdentity,
} from "@cloudwright/provider-api";
import type { DesiredLoadBalancer } from "./desired.ts";
import type { DesiredListener } from "./desired-listener.ts";
import { attachedTo } from "./floating-ips.ts";
import type {
  Listener,
  LoadBalancer,
  LoadBalancerTree,
  Member,
  ObservedLoadBalancer,
  PoolTree,
  SecurityGroup,
} from "./observed.ts";
import { classOf, ownedBy } from "./ownership.ts";
import { isAlike } from "./plan/plan-listeners.ts";
import { memberIdsOf, persistenceOf } from "./plan/plan-pools.ts";

/** Returns its floating IP first, then its own addresses. */
export function placesOf(
  loadBalancer: LoadBalancer,
  { floatingIps }: Pick<ObservedLoadBalancer, "floatingIps">,
): readonly string[] {
  const floating = attachedTo(loadBalancer, floatingIps)?.floating_ip_address ?? "";
  const additional = loadBalancer.additional_vips.map(({ ip_address }) => ip_address);
  return [floating, loadBalancer.vip_address, ...additional].filter((place) => place !== "");
}

/** Reports whether it has one of the published addresses. */
export function isReachedBy(
  { ingress }: LoadBalancerStatus,
  loadBalancer: LoadBalancer,
  observed: Pick<ObservedLoadBalancer, "floatingIps">,
): boolean {
  const places = new Set(placesOf(loadBalancer, observed));
  return ingress.some(({ ip = "", hostname = "" }) => places.has(ip) || places.has(hostname));
}

interface Reach {
  readonly desired: DesiredLoadBalancer;
  readonly loadBalancer: LoadBalancer;
  readonly observed: ObservedLoadBalancer;
  readonly isInternal: boolean;
  /** The suffix of `[LoadBalancer] enable-ingress-hostname`. */
  readonly hostnameSuffix: string | undefined;
}

/** Returns where it is reached, primary family first; undefined while it has no such address (spec §6.8). */
export function statusOf({
  desired,
  loadBalancer,
  observed,
  isInternal,
  hostnameSuffix,
}: Reach): LoadBalancerStatus | undefined {
  const { hostname, proxyProtocol } = desired;
  const floating = attachedTo(loadBalancer, observed.floatingIps)?.floating_ip_address ?? "";
  const first = isInternal ? loadBalancer.vip_address : floating;
  if (first === "") return undefined;
  if (hostname !== undefined) return { ingress: [{ hostname }] };
  const others = loadBalancer.additional_vips.map(({ ip_address }) => ip_address);
  const isProxied = proxyProtocol !== "none";
  const [family] = desired.families;
  const ips = [first, ...others].filter((ip) => ip !== "");
  if (isProxied && hostnameSuffix !== undefined)
    return { ingress: ips.map((ip) => ({ hostname: hostnameOf(ip, hostnameSuffix) })) };
  const primary = family === "IPv6" ? 6 : 4;
  const sorted = [...ips].sort((a, b) => Number(isIP(a) !== primary) - Number(isIP(b) !== primary));
  return { ingress: sorted.map((ip) => ({ ip, ipMode: isProxied ? "Proxy" : "VIP" })) };
}

/** A host name cannot contain colons. */
function hostnameOf(ip: string, suffix: string): string {
  return `${ip.replaceAll(":", "-")}.${suffix}`;
}

/** `groups`: the owner's security groups. */
export function factsOf(
  owner: OwnerIdentity,
  loadBalancer: LoadBalancer,
  { floatingIps, groups = [] }: Parts,
): LoadBalancerFacts {
  const { id, name, provisioning_status, operating_status, created_at } = loadBalancer;
  const floating = attachedTo(loadBalancer, floatingIps);
  const loadBalancerClass = classOf(loadBalancer, owner);
  const createdAt = Date.parse(`${created_at.replace(/Z$/, "")}Z`);
  return {
    id,
    name,
    type: floating === undefined ? "internal" : "external",
    addresses: placesOf(loadBalancer, { floatingIps }),
    state:
      operating_status === "" ? provisioning_status : `${provisioning_status}, ${operating_status}`,
    ...(Number.isNaN(createdAt) ? {} : { createdAt }),
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    parts: [
      ...(floating === undefined ? [] : [{ kind: "floating IP", id: floating.id }]),
      ...groups.map((group) => ({ kind: "security group", id: group.id })),
    ],
  };
}

interface Parts extends Pick<ObservedLoadBalancer, "floatingIps"> {
  readonly groups?: readonly SecurityGroup[];
}

export function candidateOf(
  loadBalancer: LoadBalancerTree,
  owner: LoadBalancerOwner,
  observed: ObservedLoadBalancer,
): LoadBalancerCandidate {
  const { id, name } = loadBalancer;
  return { id, name, addresses: placesOf(loadBalancer, observed), ...ownedBy(loadBalancer, owner) };
}

/** Returns members under the provider IDs of the Service's nodes; others under their names in the pool. */
export function membersOf(
  { inside }: LoadBalancerTree,
  spec: LoadBalancerSpec | undefined,
  mine: readonly Listener[],
): LoadBalancerPlan["members"] {
  const ids = spec === undefined ? {} : memberIdsOf({ spec });
  const pools = new Set(mine.map(({ default_pool_id }) => default_pool_id));
  const trees = (inside?.pools ?? []).filter(({ id }) => pools.has(id)).flatMap(({ tree }) => tree);
  // A problem in one pool is shown, whatever the others say.
  const worstLast = [...trees].sort(
    (left, right) => Number(isOnline(right)) - Number(isOnline(left)),
  );
  return Object.fromEntries(
    worstLast.map(({ address, name, operating_status: health }) => [
      ids[address] ?? (name || address),
      health === "" ? {} : { health },
    ]),
  );
}

function isOnline({ operating_status }: Member): boolean {
  return operating_status === "ONLINE";
}

interface Compared {
  readonly desired: DesiredLoadBalancer;
  readonly loadBalancer: LoadBalancerTree;
  readonly observed: ObservedLoadBalancer;
  readonly isInternal: boolean;
  /** The listeners of this Service. */
  readonly mine: readonly Listener[];
}

/** Describes desired beside actual. */
export function aspectsOf({
  desired,
  loadBalancer,
  observed,
  isInternal,
  mine,
}: Compared): readonly LoadBalancerAspect[] {
  const { inside } = loadBalancer;
  if (inside === undefined) return [];
  const titleOf = (port: number, protocol: string) => `listener ${port}/${protocol}`;
  const wanted = new Map(desired.listeners.map((one) => [titleOf(one.port, one.protocol), one]));
  const actual = new Map(mine.map((one) => [titleOf(one.protocol_port, one.protocol), one]));
  const listeners = [...new Set([...wanted.keys(), ...actual.keys()])].map((name) => {
    const want = wanted.get(name);
    const there = actual.get(name);
    const pool = inside.pools.find(({ id }) => id === there?.default_pool_id);
    return {
      name,
      ...(want === undefined ? {} : { desired: wantedWords(want) }),
      ...(there === undefined ? {} : { actual: actualWords(there, pool, want) }),
    };
  });
  const isReached = attachedTo(loadBalancer, observed.floatingIps) !== undefined;
  const reach = (isExternal: boolean) => (isExternal ? "floating IP" : "its own address");
  return [
    ...listeners,
    { name: "reached by", desired: reach(!isInternal), actual: reach(isReached) },
  ];
}

function wantedWords({ fields, pool }: DesiredListener): string {
  const { name: _name, ...compared } = fields;
  const { monitor } = pool;
  return words({
    fields: compared,
    pool: [pool.protocol, pool.lb_algorithm, pool.session_persistence?.type],
    monitor: monitor === undefined ? undefined : { ...monitor, name: "" },
  });
}

/** Describes equivalent values like the desired ones: Octavia represents its defaults in more than one way. */
function actualWords(
  listener: Listener,
  pool: PoolTree | undefined,
  wanted: DesiredListener | undefined,
): string {
  const { name: _name, ...compared } = wanted?.fields ?? { name: "" };
  const fields = Object.entries(compared).map(([field, value]) => {
    const there = Reflect.get(listener, field);
    return [field, isAlike(field, there, value) ? value : there];
  });
  const { monitor } = pool ?? {};
  const want = wanted?.pool.monitor;
  const monitorFields = Object.keys(want ?? { type: "" }).map((field) => [
    field,
    field === "name" ? "" : Reflect.get(monitor ?? {}, field),
  ]);
  return words({
    fields: Object.fromEntries(fields),
    pool: pool && [pool.protocol, pool.lb_algorithm, persistenceOf(pool)?.type],
    monitor: monitor === undefined ? undefined : Object.fromEntries(monitorFields),
  });
}

interface Words {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly pool: readonly (string | undefined)[] | undefined;
  readonly monitor: Readonly<Record<string, unknown>> | undefined;
}

function words({ fields, pool, monitor }: Words): string {
  const text = (from: Readonly<Record<string, unknown>>) =>
    Object.entries(from)
      .filter(([, value]) => value !== "" && value !== undefined && !isEmpty(value))
      .map(([field, value]) => `${field.replaceAll("_", " ")} ${valueText(value)}`)
      .sort()
      .join(", ");
  const poolText =
    pool === undefined ? "no pool" : pool.filter((one) => one !== undefined).join(" ");
  return [
    `pool ${poolText}`,
    monitor === undefined ? "no health monitor" : `health monitor ${text(monitor)}`,
    text(fields),
  ].join("; ");
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return [...value].sort().join(" ");
  return typeof value === "object" && value !== null
    ? Object.entries(value).flat().join(" ")
    : String(value);
}
