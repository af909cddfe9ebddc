import type { BalancerObservation, LoadBalancers } from "@cloudwright/provider-api";
import type { Service } from "../../kube/client.ts";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Clock } from "../../model/time.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { uidOf } from "../objects/object-meta.ts";
import type { ObjectView } from "../objects/written-objects.ts";
import {
  type Claim,
  type Comparison,
  compare,
  isCleared,
  isOfOtherController,
  leftBehind,
} from "./compare.ts";
import { desiredOf } from "./desired.ts";
import { type ClusterMembers, refusedWithoutMachine } from "./members/cluster-members.ts";
import { type MemberSet, withoutRefused } from "./members/members.ts";
import type { NodeWave } from "./members/node-wave.ts";
import type { ServiceObserved, ServicePolicy } from "./observed.ts";
import type { Orphans } from "./orphans.ts";
import { isOfOurs, type Purpose, purposeOf } from "./purpose.ts";
import type { Remains, ServiceMemories, ServiceMemory } from "./service-memory.ts";
import { type ClusterIdentity, keyOf, ownerOf, publishedBy } from "./service-object.ts";
import { isContentWithKnown } from "./triggers.ts";
import { isCarriedOut, wished } from "./wished.ts";

export interface ObservePorts {
  readonly view: ObjectView<Service>;
  readonly members: ClusterMembers;
  readonly memories: ServiceMemories;
  readonly orphans: Orphans;
  readonly wave: NodeWave;
  readonly loadBalancers: LoadBalancers;
  readonly clock: Clock;
  readonly cluster: ClusterIdentity;
  readonly policy: ServicePolicy;
  /** The provider's name. */
  readonly provider: string;
  /** Whether the provider offers instances: then a machine can be asked for. */
  readonly looksUpByName: boolean;
  /** Told when nothing of ours is left of a Service that went without its finalizer, and what stands there without an owner. */
  onCleared(remains: Remains, left: Claim | undefined): void;
}

/** How old an observation may be that no change and no person asks for (DESIGN.md "Freshness"). */
const FRESH_MS = 5_000;

/**
 * The Service from the cache, the nodes that its balancer is to have, and what the cloud has of it. Undefined when neither
 * the Service nor anything that it left behind is there.
 */
export async function observeService(
  ports: ObservePorts,
  key: string,
  run: RunContext,
): Promise<ServiceObserved | undefined> {
  const before = ports.view.get(key);
  const [remains, seen] = await Promise.all([
    observeRemains(ports, key, run),
    before === undefined ? undefined : observeCloud(ports, before, run),
  ]);
  const nodes = seen === undefined ? ports.members.known : await ports.members.current(run);
  const service = ports.view.get(key);
  if (service === undefined && remains.length === 0) return undefined;
  const isAnother =
    service !== undefined && (before === undefined || uidOf(service) !== uidOf(before));
  // What changed while the cloud was asked counts; what came anew, or needs the cloud only now, is looked at from the start.
  if (isAnother || (service !== undefined && lacksLook(ports, { service, seen, run }))) {
    return observeService(ports, key, run);
  }
  const set = followed(ports, { service, run }, nodes);
  const withoutMachine = await refusedWithoutMachine(ports, { service, run }, set.nodes);
  const shared = {
    kind: "service" as const,
    key,
    provider: ports.provider,
    asked: run.asked,
    isCarriedOut: isCarriedOut(run),
    set,
    remains,
    withoutMachine,
  };
  if (service === undefined) return { ...shared, ...GONE, object: ports.view.object(key) };
  return { ...shared, ...ofService(ports, { service, seen, run }, set) };
}

/**
 * The nodes that its balancer is to have. While changes of nodes gather, a run goes on with those that it began with, and what
 * comes back because the cloud was at work with those it had; else each look at it would be one more update in a wave.
 */
function followed(
  { memories, wave }: ObservePorts,
  { service, run }: { readonly service: Service | undefined; readonly run: RunContext },
  nodes: MemberSet,
): MemberSet {
  if (service === undefined) return nodes;
  const memory = memories.of(uidOf(service));
  const isUnderWay = run.trigger.kind === "retry" || memory.followed?.runId === run.runId;
  const set = (wave.isGathering && isUnderWay ? memory.followed?.set : undefined) ?? nodes;
  memory.followed = { set, runId: run.runId };
  return set;
}

const GONE = {
  service: undefined,
  purpose: { kind: "leave", why: "deleted" },
  refused: new Map(),
  membersBefore: [],
  trouble: undefined,
  desired: undefined,
  comparison: undefined,
} as const satisfies Partial<ServiceObserved>;

interface Seen {
  readonly service: Service;
  /** Undefined when the cloud was not asked. */
  readonly seen: BalancerObservation<unknown> | undefined;
  readonly run: RunContext;
}

function lacksLook(ports: ObservePorts, { service, seen, run }: Seen): boolean {
  return seen === undefined && needsCloud(purposeIn(ports, service), run);
}

/** What is made of one Service and its observation, without any I/O. */
function ofService(ports: ObservePorts, { service, seen, run }: Seen, set: ServiceObserved["set"]) {
  const { memories, loadBalancers, provider, view, cluster } = ports;
  const memory = memories.of(uidOf(service));
  const intended = purposeIn(ports, service);
  const owner = ownerOf(service, cluster);
  const desired =
    intended.kind === "serve"
      ? desiredOf(service, {
          owner,
          members: withoutRefused(set.members, memory.refused),
          abilities: loadBalancers.abilities,
          provider,
        })
      : undefined;
  const comparison =
    seen === undefined || desired?.kind === "refused"
      ? undefined
      : compare(loadBalancers, {
          owner,
          observation: seen,
          spec: desired?.spec,
          published: publishedBy(service),
          adopt: ports.policy.adopt,
          ...wished(run, ports.policy.consents?.get(keyOf(service))),
        });
  // What was thought to be left of ours is seen to be theirs right before it would be removed.
  const isTheirs =
    comparison !== undefined &&
    !isOfOurs(service, ports.policy) &&
    isOfOtherController(comparison, ports.policy);
  if (isTheirs) memory.mayHaveBalancer = false;
  else if (comparison !== undefined) learn(memory, comparison);
  return {
    object: view.object(`${owner.namespace}/${owner.name}`),
    service,
    purpose: isTheirs ? ({ kind: "leave", why: "class" } as const) : intended,
    desired,
    comparison,
    refused: new Map(memory.refused),
    membersBefore: memory.members,
    trouble: memory.trouble,
  };
}

function purposeIn({ policy, memories }: ObservePorts, service: Service): Purpose {
  const mayHaveBalancer = memories.mayHaveBalancer(uidOf(service));
  return purposeOf(service, { ...policy, mayHaveBalancer });
}

function learn(memory: ServiceMemory, comparison: Comparison): void {
  if (comparison.kind === "failed") return;
  const { actual, candidates = [] } = comparison.plan;
  if (actual === undefined) return;
  const isOwn = candidates.every(({ id }) => id !== actual.id);
  if (isOwn) memory.places = actual.addresses;
  memory.mayHaveBalancer = true;
}

/** A Service is held and released whatever the cloud says. */
function needsCloud(purpose: Purpose, { asked }: RunContext): boolean {
  if (asked?.wish.kind === "hold" || asked?.wish.kind === "release") return false;
  return purpose.kind !== "leave";
}

async function observeCloud(
  ports: ObservePorts,
  service: Service,
  run: RunContext,
): Promise<BalancerObservation<unknown> | undefined> {
  const { memories, clock, cluster } = ports;
  const purpose = purposeIn(ports, service);
  if (!needsCloud(purpose, run)) return undefined;
  const memory = memories.of(uidOf(service));
  forgetRefusals(ports, memory, run);
  const priority = purpose.kind === "remove" ? deletionPriority(run) : run.priority;
  const observation = await run.balancers.observe(ownerOf(service, cluster, memory.places), {
    maxAgeMs: isOfOurs(service, ports.policy)
      ? maxAgeMs(ports, memory, { ...run, isHeld: activeHoldOf(service, run.nowMs) !== undefined })
      : 0,
    priority,
  });
  memory.lookedAt = clock.now();
  memory.lookedBy = run.runId;
  return observation;
}

function deletionPriority({ priority }: RunContext): CallPriority {
  return priority === "person" ? "person" : "deletion";
}

interface Looking extends Pick<RunContext, "runId" | "trigger"> {
  /** Nothing is done whatever the cloud says: our own hold's echo asks for nothing. */
  readonly isHeld?: boolean;
}

/**
 * What the run's own writes have left is known. A change of the Service and a person ask for an observation that begins after
 * them; only a start and a period may be spared one. What made the last try wait or fail must be asked for again, but what
 * others have asked for since will do.
 */
function maxAgeMs({ clock, policy }: ObservePorts, memory: ServiceMemory, run: Looking): number {
  const { trigger, isHeld = false } = run;
  if (memory.lookedBy === run.runId || isContentWithKnown(trigger)) return policy.driftPeriodMs;
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
      return Math.max(0, Math.min(FRESH_MS, clock.now() - memory.lookedAt - 1));
  }
}

/** Members that the cloud would not take are offered again once a period, and when a person asks. */
function forgetRefusals(
  { clock, policy }: ObservePorts,
  memory: ServiceMemory,
  run: RunContext,
): void {
  if (memory.lookedBy === run.runId) return;
  const { kind } = run.trigger;
  for (const [providerID, { at }] of memory.refused) {
    const isOld = clock.now() - at >= policy.driftPeriodMs / 2;
    if (kind === "intent" || (kind === "period" && isOld)) memory.refused.delete(providerID);
  }
}

/** What earlier Services of this name have left in the cloud; what nothing is left of is forgotten. */
async function observeRemains(
  ports: ObservePorts,
  key: string,
  run: RunContext,
): Promise<readonly Comparison[]> {
  const remains = ports.memories.remainsOf(key);
  const compared = await Promise.all(remains.map((one) => compareRemains(ports, one, run)));
  for (const [index, comparison] of compared.entries()) {
    const one = remains[index];
    if (one === undefined || !isCleared(comparison)) continue;
    ports.memories.cleared(key, one.owner.objectUid);
    ports.onCleared(one, leftBehind(comparison));
  }
  return compared.filter((comparison) => !isCleared(comparison));
}

async function compareRemains(
  ports: ObservePorts,
  { owner, published }: Remains,
  run: RunContext,
): Promise<Comparison> {
  const memory = ports.memories.of(owner.objectUid);
  const options = { maxAgeMs: maxAgeMs(ports, memory, run), priority: deletionPriority(run) };
  const observation = await run.balancers.observe(owner, options);
  memory.lookedAt = ports.clock.now();
  memory.lookedBy = run.runId;
  const { adopt } = ports.policy;
  return compare(ports.loadBalancers, { owner, observation, spec: undefined, published, adopt });
}
