import { isIP } from "node:net";
import { ID_ANNOTATION } from "../annotations.ts";
import { bodyOf, changeOf } from "../changes.ts";
import type { Decision, PlanFacts, PlanInput } from "../decision.ts";
import type { DesiredLoadBalancer } from "../desired.ts";
import type { DesiredListener } from "../desired-listener.ts";
import { type Vip, vipOf } from "../networks.ts";
import type { LoadBalancerTree } from "../observed.ts";
import {
  DESCRIPTIONS,
  foreignOwnerOf,
  hasOwner,
  loadBalancerName,
  markedDescription,
  marksOf,
  namesOf,
  tagsFor,
  usersOf,
} from "../ownership.ts";
import { isReachedBy } from "../view.ts";
import { memberBody, memberIdsOf } from "./plan-pools.ts";

/** Plans the first load balancer of a Service, complete in one request; or says why none is created. */
export function planFirst(facts: PlanFacts): Decision {
  const { input, spec, desired } = facts;
  const blocked = obstacleTo(input, desired);
  if (blocked !== undefined) return { changes: [], next: blocked };
  const { placement } = desired;
  const vip = vipOf(placement, spec, input.observed.networks);
  if ("kind" in vip) return { changes: [], next: vip };
  const { owner } = input;
  const preferred = preferredAddress(facts);
  const body = creationBody(facts, vip);
  const change = changeOf(
    { action: "create", what: "load balancer", target: desired.name, after: recorded(body) },
    {
      ...{ kind: "createLoadBalancer", name: desired.name },
      ...{ clusterUid: owner.clusterUid, objectUid: owner.objectUid },
      body: bodyOf(body),
      ...(preferred === undefined ? {} : { preferredAddress: preferred }),
      memberIds: memberIdsOf({ spec }),
    },
  );
  return { changes: [change], next: { kind: "settled" } };
}

function obstacleTo(input: PlanInput, desired: DesiredLoadBalancer): Decision["next"] | undefined {
  const { owner, observed, published } = input;
  const id = owner.annotations?.[ID_ANNOTATION] ?? "";
  const foreign = observed.candidates.find((one) => isRefused(one, input, id));
  if (foreign !== undefined)
    return {
      ...{ kind: "foreign", id: foreign.id },
      owner: foreignOwnerOf(foreign, owner) ?? "another Service",
    };
  const proofs = (one: LoadBalancerTree) =>
    Number(namesOf(owner).includes(one.name)) + Number(isReachedBy(published, one, observed));
  const [best] = observed.candidates
    .filter((one) => foreignOwnerOf(one, owner) === undefined)
    .sort((left, right) => proofs(right) - proofs(left) || left.id.localeCompare(right.id));
  if (best !== undefined) {
    const others = othersOn(best, desired);
    const more = others.length === 0 ? {} : { others };
    return { kind: "unowned", id: best.id, name: best.name, ...more };
  }
  if (id === "" || published.ingress.length > 0) return undefined;
  const problem = `the project has no load balancer ${id.slice(0, 64)}; correct the annotation or remove it`;
  return { kind: "unsupported", field: `annotation ${ID_ANNOTATION}`, problem };
}

/**
 * A load balancer with another's mark is refused if it is named, or if it claims to be this very Service's. Another cluster's
 * with the same name is no obstacle: names do not identify, and each cluster has its own.
 */
function isRefused(one: LoadBalancerTree, { owner }: PlanInput, id: string): boolean {
  if (foreignOwnerOf(one, owner) === undefined || hasOwner(one, owner)) return false;
  const { services, clusterUid } = marksOf(one);
  const isNamed = one.id === id && clusterUid !== owner.clusterUid;
  return isNamed || services.some(({ uid }) => uid === owner.objectUid);
}

/** Describes the listeners and members that it would lose if it were made as desired. */
export function othersOn(
  { inside, ...loadBalancer }: LoadBalancerTree,
  { listeners }: DesiredLoadBalancer,
): readonly string[] {
  const wanted = new Map(listeners.map((one) => [`${one.protocol} ${one.port}`, one]));
  const others = (inside?.listeners ?? []).flatMap((listener) => {
    const { protocol, protocol_port } = listener;
    const want = wanted.get(`${protocol} ${protocol_port}`);
    const pool = inside?.pools.find(({ id }) => id === listener.default_pool_id);
    const addresses = new Set((want?.pool.members ?? []).map(({ address }) => address));
    const members = (pool?.tree ?? [])
      .filter(({ address }) => !addresses.has(address))
      .map((one) => `member ${one.name || one.address}`);
    return want === undefined ? [`listener ${protocol_port}/${protocol}`, ...members] : members;
  });
  const users = usersOf(loadBalancer).slice(1);
  return [...others, ...users.map((user) => `user ${user}`)];
}

/** Returns the former address of an internal load balancer, so that it keeps it when re-created. */
function preferredAddress({ input, desired }: PlanFacts): string | undefined {
  const { isInternal, requestedAddress, placement } = desired;
  if (!isInternal || requestedAddress !== undefined || placement.portId !== "") return undefined;
  const version = desired.families[0] === "IPv6" ? 6 : 4;
  return input.published.ingress.find(({ ip = "" }) => isIP(ip) === version)?.ip;
}

function creationBody({ input, desired, options }: PlanFacts, vip: Vip) {
  const { owner } = input;
  const { loadBalancer } = options;
  const { requestedAddress, isInternal, features, flavorId, availabilityZone } = desired;
  const hasAddress = isInternal && requestedAddress !== undefined && vip.vip_port_id === undefined;
  const text = DESCRIPTIONS.loadBalancer(owner);
  const subnetId = desired.placement.memberSubnetId || (vip.vip_subnet_id ?? "");
  return {
    name: desired.name,
    provider: loadBalancer.lbProvider,
    description: features.tags ? text.slice(0, 255) : markedDescription(text, owner),
    ...(features.tags
      ? {
          tags: tagsFor({ tags: [] }, owner, {
            keepsFloatingIp: desired.keepsFloatingIp,
            memberSubnetId: desired.placement.askedMemberSubnetId,
          }),
        }
      : {}),
    ...vip,
    ...(hasAddress ? { vip_address: requestedAddress } : {}),
    ...(flavorId === undefined ? {} : { flavor_id: flavorId }),
    ...(availabilityZone === undefined ? {} : { availability_zone: availabilityZone }),
    admin_state_up: true,
    ...(loadBalancer.providerRequiresSerialApiCalls
      ? {}
      : {
          listeners: desired.listeners.map((one) =>
            wholeListener(one, { facts: desired, owner: loadBalancerName(owner), subnetId }),
          ),
        }),
  };
}

interface Inside {
  readonly facts: DesiredLoadBalancer;
  /** The tag that names its owner. */
  readonly owner: string;
  readonly subnetId: string;
}

function wholeListener(
  { protocol, port, fields, pool }: DesiredListener,
  { facts, owner, subnetId }: Inside,
) {
  const { members, monitor, session_persistence, ...rest } = pool;
  return {
    ...{ protocol, protocol_port: port },
    ...fields,
    ...(facts.features.tags ? { tags: [owner] } : {}),
    default_pool: {
      ...rest,
      ...(session_persistence === null ? {} : { session_persistence }),
      members: members.map((one) => memberBody(one, subnetId)),
      ...(monitor === undefined ? {} : { healthmonitor: monitor }),
    },
  };
}

/** Returns the body for the ledger, with the members, of which there may be hundreds, only counted. */
function recorded({ listeners = [], ...body }: ReturnType<typeof creationBody>) {
  return {
    ...body,
    listeners: listeners.map(({ default_pool: { members, ...pool }, ...listener }) => ({
      ...listener,
      default_pool: { ...pool, members: { count: members.length } },
    })),
  };
}
