import type { LoadBalancerObservation, LoadBalancers } from "@cloudwright/provider-api";
import type { LoadBalancerDirectory } from "../../cloud/ports.ts";
import type { Service } from "../../kube/client.ts";
import type { CallPriority } from "../../model/call-priority.ts";
import { activeHoldOf, isWithoutCloud } from "../hold/hold.ts";
import { uidOf } from "../objects/object-meta.ts";
import type { ObjectView } from "../objects/written-objects.ts";
import { type Comparison, compare, isCleared, isOfOtherController } from "./desired/compare.ts";
import { desiredOf } from "./desired/desired.ts";
import { isOfOurs, type Purpose, purposeOf } from "./desired/purpose.ts";
import type { Departed, DepartedServices } from "./last-seen.ts";
import type { ClusterMembers } from "./members/cluster-members.ts";
import { type MemberSet, withoutRefused } from "./members/members.ts";
import type { NodeWave } from "./members/node-wave.ts";
import { type Refusals, withRefusals } from "./memory.ts";
import {
  isCarriedOut,
  type ServiceContext,
  type ServiceObserved,
  type ServicePolicy,
} from "./observed.ts";
import type { Orphans } from "./orphans/orphans.ts";
import { type ClusterIdentity, keyOf, ownerOf, publishedBy } from "./service-object.ts";
import { isContentWithKnown } from "./triggers/triggers.ts";

export interface ObservePorts {
  readonly view: ObjectView<Service>;
  readonly members: ClusterMembers;
  readonly departed: DepartedServices;
  /** UIDs of Services that must have no load balancer, but had one in the last listing. */
  readonly unwanted: ReadonlySet<string>;
  readonly orphans: Orphans;
  readonly wave: NodeWave;
  readonly loadBalancers: LoadBalancers;
  readonly directory: LoadBalancerDirectory;
  readonly cluster: ClusterIdentity;
  readonly policy: ServicePolicy;
  /** The provider's name. */
  readonly provider: string;
}

/** How old an observation may be if no change and no user asks for a new one (DESIGN.md "Freshness"). */
const FRESH_MS = 5_000;

/**
 * Reads the Service from the cache, the nodes that its load balancer should have, and its state in the cloud. Undefined if
 * neither the Service nor anything that it left behind exists.
 */
export async function observeService(
  ports: ObservePorts,
  key: string,
  run: ServiceContext,
): Promise<ServiceObserved | undefined> {
  const departed = ports.departed.of(key);
  const before = ports.view.get(key);
  const [remains, seen] = await Promise.all([
    Promise.all(departed.map((one) => observeDeparted(ports, one, run))),
    before === undefined ? undefined : observeCloud(ports, before, run),
  ]);
  const nodes = seen === undefined ? ports.members.known : await ports.members.current(run);
  const service = ports.view.get(key);
  if (service === undefined && remains.length === 0) return undefined;
  const isAnother =
    service !== undefined && (before === undefined || uidOf(service) !== uidOf(before));
  // A change made while the cloud was asked counts; if the Service was recreated, or needs the
  // cloud only now, the observation starts over.
  if (isAnother || (service !== undefined && lacksObservation(ports, { service, seen, run }))) {
    return observeService(ports, key, run);
  }
  return made(ports, { key, service, seen, run, nodes, remains });
}

interface Parts extends Omit<Seen, "service"> {
  readonly key: string;
  readonly service: Service | undefined;
  readonly nodes: MemberSet;
  readonly remains: readonly Comparison[];
}

async function made(
  ports: ObservePorts,
  { key, service, seen, run, nodes, remains }: Parts,
): Promise<ServiceObserved> {
  const refused = seen === undefined ? run.memory.refused : refusedNow(ports, run);
  const set = service === undefined ? nodes : followed(ports, run, nodes);
  const shared = {
    kind: "service" as const,
    key,
    provider: ports.provider,
    requested: run.requested,
    isCarriedOut: isCarriedOut(run),
    set,
    remains,
    refused,
    withoutMachine:
      service === undefined ? NOBODY : await ports.members.withoutMachine(set.nodes, refused, run),
    membersBefore: run.memory.members,
    trouble: run.memory.trouble,
    isFresh: seen !== undefined || remains.length > 0,
  };
  if (service === undefined) return { ...shared, ...GONE, object: ports.view.refOf(key) };
  return { ...shared, ...(await ofService(ports, { service, seen, run }, { set, refused })) };
}

/**
 * Returns the nodes that the load balancer should have. While changes of nodes gather, a run keeps the nodes with which it
 * started, and a Service that comes back because the cloud was at work keeps those of its last run; otherwise each observation
 * would be one more update during a wave.
 */
function followed({ wave }: ObservePorts, run: ServiceContext, nodes: MemberSet): MemberSet {
  if (!wave.isGathering) return nodes;
  const before = run.trigger.kind === "retry" ? run.memory.followed : undefined;
  return earlierIn(run)?.set ?? before ?? nodes;
}

/** Returns what this run observed before its last writes. */
function earlierIn({ earlier }: ServiceContext): ServiceObserved | undefined {
  return earlier?.kind === "service" ? earlier : undefined;
}

const NOBODY: ReadonlySet<string> = new Set();

const GONE = {
  service: undefined,
  purpose: { kind: "leave", why: "deleted" },
  desired: undefined,
  comparison: undefined,
  mayHaveLoadBalancer: false,
  places: [],
} as const satisfies Partial<ServiceObserved>;

interface Seen {
  readonly service: Service;
  /** Undefined if the cloud was not asked. */
  readonly seen: LoadBalancerObservation<unknown> | undefined;
  readonly run: ServiceContext;
}

function lacksObservation(ports: ObservePorts, { service, seen, run }: Seen): boolean {
  return seen === undefined && needsCloud(purposeIn(ports, service, run), run);
}

/** Builds the observation of one Service without asking cluster or cloud. */
async function ofService(
  ports: ObservePorts,
  { service, seen, run }: Seen,
  { set, refused }: Pick<ServiceObserved, "set" | "refused">,
) {
  const { loadBalancers, provider, view, cluster, policy } = ports;
  const intended = purposeIn(ports, service, run);
  const owner = ownerOf(service, cluster);
  const { abilities } = loadBalancers;
  const members = withoutRefused(set.members, refused);
  const desired =
    intended.kind === "serve"
      ? desiredOf(service, { owner, members, abilities, provider })
      : undefined;
  const comparing =
    seen === undefined || desired?.kind === "refused"
      ? undefined
      : compare(loadBalancers, {
          owner,
          observation: seen,
          spec: desired?.spec,
          published: publishedBy(service),
          adopt: policy.adopt,
          ...requested(run, policy.consents?.get(keyOf(service))),
        });
  // Waits only if another process makes the plan.
  const comparison = comparing instanceof Promise ? await comparing : comparing;
  // What was thought to be left of ours turns out to be theirs right before it would be removed.
  const isTheirs =
    comparison !== undefined &&
    !isOfOurs(service, policy) &&
    isOfOtherController(comparison, policy);
  return {
    object: view.refOf(`${owner.namespace}/${owner.name}`),
    service,
    purpose: isTheirs ? ({ kind: "leave", why: "class" } as const) : intended,
    desired,
    comparison,
    ...(isTheirs
      ? { mayHaveLoadBalancer: false, places: placesKnown(run) }
      : found(comparison, {
          mayHaveLoadBalancer: mayHaveLoadBalancer(ports, service, run),
          places: placesKnown(run),
        })),
  };
}

/**
 * Returns the action for the load balancer, once in a run; `allowed` is what the operator who started this process lets the
 * Service adopt.
 */
function requested(
  run: ServiceContext,
  allowed: string | undefined,
): { everything?: boolean; consent?: string } {
  const action = isCarriedOut(run) ? undefined : run.requested?.action;
  if (action?.kind === "reensure") return { everything: true };
  const consent = (action?.kind === "adopt" ? action.balancer : undefined) ?? allowed;
  return consent === undefined ? {} : { consent };
}

type Found = Pick<ServiceObserved, "mayHaveLoadBalancer" | "places">;

function found(comparison: Comparison | undefined, known: Found): Found {
  if (comparison === undefined || comparison.kind === "failed") return known;
  const { actual, candidates = [] } = comparison.plan;
  if (actual === undefined) return known;
  const isOwn = candidates.every(({ id }) => id !== actual.id);
  return { mayHaveLoadBalancer: true, places: isOwn ? actual.addresses : known.places };
}

function placesKnown(run: ServiceContext): readonly string[] {
  return earlierIn(run)?.places ?? run.memory.places;
}

function mayHaveLoadBalancer({ unwanted }: ObservePorts, service: Service, run: ServiceContext) {
  const isKnown = run.memory.mayHaveLoadBalancer || earlierIn(run)?.mayHaveLoadBalancer === true;
  return isKnown || unwanted.has(uidOf(service));
}

function purposeIn(ports: ObservePorts, service: Service, run: ServiceContext): Purpose {
  return purposeOf(service, {
    ...ports.policy,
    mayHaveLoadBalancer: mayHaveLoadBalancer(ports, service, run),
  });
}

function needsCloud(purpose: Purpose, { requested }: ServiceContext): boolean {
  return purpose.kind !== "leave" && !isWithoutCloud(requested);
}

async function observeCloud(
  ports: ObservePorts,
  service: Service,
  run: ServiceContext,
): Promise<LoadBalancerObservation<unknown> | undefined> {
  const purpose = purposeIn(ports, service, run);
  if (!needsCloud(purpose, run)) return undefined;
  const isHeld = activeHoldOf(service, run.nowMs) !== undefined;
  return run.cloud(ports.directory).observe(ownerOf(service, ports.cluster, placesKnown(run)), {
    maxAgeMs: isOfOurs(service, ports.policy) ? maxAgeMs(ports, run, isHeld) : 0,
    priority: purpose.kind === "remove" ? deletionPriority(run) : run.priority,
  });
}

function deletionPriority({ priority }: ServiceContext): CallPriority {
  return priority === "person" ? "person" : "deletion";
}

/**
 * The results of the run's own writes are known. A change of the Service and a user's action need an observation that starts
 * after them; only a start and a period may reuse one. An answer that made the last attempt wait or fail must not be reused, but
 * an answer to others since then may be. While the Service is held nothing is done whatever the cloud says, and the echo of our
 * own hold needs no observation.
 */
function maxAgeMs({ policy }: ObservePorts, run: ServiceContext, isHeld: boolean): number {
  const { trigger, memory, nowMs } = run;
  if (earlierIn(run)?.isFresh === true || isContentWithKnown(trigger)) return policy.driftPeriodMs;
  switch (trigger.kind) {
    case "intent":
      return 0;
    case "change":
      return isHeld ? FRESH_MS : 0;
    case "start":
    case "period":
      return FRESH_MS;
    case "retry":
      if (memory.lookedAt === undefined) return FRESH_MS;
      return Math.max(0, Math.min(FRESH_MS, nowMs - memory.lookedAt - 1));
  }
}

/** Members that the cloud refused are offered again once a period, and when a user asks. */
function refusedNow({ policy }: ObservePorts, run: ServiceContext): Refusals {
  const { memory, trigger, nowMs, failed } = run;
  const isOfferedAgain = (at: number) =>
    trigger.kind === "intent" ||
    (trigger.kind === "period" && nowMs - at >= policy.driftPeriodMs / 2);
  const isKept = [...memory.refused.values()].every(({ at }) => !isOfferedAgain(at));
  const kept = isKept
    ? memory.refused
    : new Map([...memory.refused].filter(([, { at }]) => !isOfferedAgain(at)));
  return withRefusals(kept, failed);
}

/**
 * Observes what earlier Services of this name have left in the cloud. Once nothing of one was left in a run, nothing of it
 * comes back.
 */
async function observeDeparted(
  ports: ObservePorts,
  { owner, published }: Departed,
  run: ServiceContext,
): Promise<Comparison> {
  const isSame = (one: Comparison) => one.owner.objectUid === owner.objectUid;
  const known = earlierIn(run)?.remains.find(isSame);
  if (known !== undefined && isCleared(known)) return known;
  const observation = await run.cloud(ports.directory).observe(owner, {
    maxAgeMs: maxAgeMs(ports, run, false),
    priority: deletionPriority(run),
  });
  const { adopt } = ports.policy;
  const removal = { owner, observation, spec: undefined, published, adopt };
  return await compare(ports.loadBalancers, removal);
}
