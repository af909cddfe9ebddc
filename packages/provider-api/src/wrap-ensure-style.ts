import { isDeepStrictEqual } from "node:util";
import type { CallContext } from "./call-context.ts";
import {
  type Ensured,
  fromNothing,
  jsonFields,
  memberIds,
  membersChange,
  sinceEnsured,
} from "./ensured-fields.ts";
import { isProviderError, ProviderError } from "./errors.ts";
import type { Json } from "./json.ts";
import type {
  CloudChange,
  LoadBalancerAbilities,
  LoadBalancerAspect,
  LoadBalancerObservation,
  LoadBalancerOwner,
  LoadBalancerPlan,
  LoadBalancerPlanInput,
  LoadBalancerSpec,
  LoadBalancerStatus,
  LoadBalancers,
  OwnedLoadBalancer,
} from "./load-balancers.ts";

/** A provider that can only ensure a load balancer as a whole, as in upstream's interface (spec/60 §4). */
export interface EnsureStyle {
  /** The provider's name. */
  readonly provider: string;
  readonly abilities: LoadBalancerAbilities;
  /** Returns the name of an owner's load balancer, which never changes. */
  name(owner: LoadBalancerOwner): string;
  /** Returns the addresses of the load balancer; undefined when there is none. Throws ProviderError. */
  get(owner: LoadBalancerOwner, context: CallContext): Promise<LoadBalancerStatus | undefined>;
  /** Creates the load balancer or brings all of it in sync; `elsewhere` when another controller serves it. Throws ProviderError. */
  ensure(spec: LoadBalancerSpec, context: CallContext): Promise<LoadBalancerStatus | "elsewhere">;
  /** Changes only the members. Throws ProviderError. */
  updateMembers(spec: LoadBalancerSpec, context: CallContext): Promise<void>;
  /** Removes all parts, even when the load balancer itself is gone; having nothing to remove is no error. Throws ProviderError. */
  remove(owner: LoadBalancerOwner, context: CallContext): Promise<void>;
  /** Returns all load balancers of a cluster, if the cloud can list them; without it orphans are not found. Throws ProviderError. */
  owned?(clusterUid: string, context: CallContext): Promise<readonly OwnedLoadBalancer[]>;
}

/** The state that the cloud reports, and what this process remembers of its own calls. */
export interface EnsuredLoadBalancer {
  readonly status: LoadBalancerStatus | undefined;
  /** The last request that succeeded; absent before the first one since the start. */
  readonly ensured?: Ensured;
  /** Whether all parts were removed since the start, and none created after that. */
  readonly isRemoved: boolean;
}

/** Narrows `plan`: it is made in this process, so it needs no promise. */
export interface EnsuredLoadBalancers extends LoadBalancers<EnsuredLoadBalancer> {
  plan(input: LoadBalancerPlanInput<EnsuredLoadBalancer>): LoadBalancerPlan;
}

/**
 * Makes a declarative provider from an ensure-style one. Each change is one operation of upstream's interface. A Service is ensured once
 * after the start, and again when its spec differs from the last one ensured; if only members differ they are updated. A removal is always
 * carried out, as parts may be left of a load balancer that is gone (spec/30 SW-2). The plan names the operation and the fields that differ
 * from the last ensured spec. Drift inside a load balancer is not seen.
 */
export function wrapEnsureStyle(style: EnsureStyle): EnsuredLoadBalancers {
  const memoryStore = new MemoryStore();
  return {
    abilities: { unseen: UNSEEN, ...style.abilities },
    observe: (owners, context) => observe({ style, memoryStore }, owners, context),
    plan: (input) => planOf(style, input),
    apply: (change, context) => apply({ style, memoryStore }, change, context),
    owned: async (clusterUid, context) => (await style.owned?.(clusterUid, context)) ?? [],
  };
}

const UNSEEN =
  "This provider can only reconcile a load balancer as a whole: changes that others make inside it are not detected, and the plan does not list the individual calls.";

interface Wrapped {
  readonly style: EnsureStyle;
  readonly memoryStore: MemoryStore;
}

type Memory = Omit<EnsuredLoadBalancer, "status">;

const UNKNOWN: Memory = { isRemoved: false };
const MOST = 50_000;

/** Remembers calls by the owner's UID. A forgotten owner only causes one more ensure or removal. */
class MemoryStore {
  readonly #byUid = new Map<string, Memory>();

  of(uid: string): Memory {
    return this.#byUid.get(uid) ?? UNKNOWN;
  }

  put(uid: string, memory: Memory): void {
    this.#byUid.delete(uid);
    this.#byUid.set(uid, memory);
    const [oldest] = this.#byUid.keys();
    if (this.#byUid.size > MOST && oldest !== undefined) this.#byUid.delete(oldest);
  }
}

async function observe(
  wrapped: Wrapped,
  owners: readonly LoadBalancerOwner[],
  context: CallContext,
): Promise<ReadonlyMap<string, LoadBalancerObservation<EnsuredLoadBalancer>>> {
  const answers = owners.map(
    async (owner) => [owner.objectUid, await observeOne(wrapped, owner, context)] as const,
  );
  return new Map(await Promise.all(answers));
}

async function observeOne(
  { style, memoryStore }: Wrapped,
  owner: LoadBalancerOwner,
  context: CallContext,
): Promise<LoadBalancerObservation<EnsuredLoadBalancer>> {
  try {
    context.signal.throwIfAborted();
    const status = await style.get(owner, context);
    return { kind: "known", observed: { status, ...memoryStore.of(owner.objectUid) } };
  } catch (error) {
    context.signal.throwIfAborted();
    return { kind: "failed", error: isProviderError(error) ? error : unknownError(style, error) };
  }
}

function unknownError({ provider }: EnsureStyle, cause: unknown): ProviderError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ProviderError("Unavailable", message, { provider, operation: "get", cause });
}

function planOf(
  style: EnsureStyle,
  input: LoadBalancerPlanInput<EnsuredLoadBalancer>,
): LoadBalancerPlan {
  const { owner, spec, observed } = input;
  const isElsewhere = observed.ensured?.isElsewhere === true;
  const changes = spec === undefined ? removal(style, input) : serving(style, input, spec);
  return {
    changes,
    next: { kind: isElsewhere && changes.length === 0 ? "elsewhere" : "settled" },
    status: spec === undefined ? { ingress: [] } : reached(observed.status),
    actual: factsOf(style.name(owner), observed.status),
    aspects: spec === undefined ? [] : [aspectOf(spec, observed)],
    members: Object.fromEntries((observed.ensured?.members ?? []).map((id) => [id, {}])),
  };
}

function removal(
  style: EnsureStyle,
  { owner, observed }: LoadBalancerPlanInput<EnsuredLoadBalancer>,
): readonly CloudChange[] {
  if (observed.isRemoved && observed.status === undefined) return [];
  const target = style.name(owner);
  const request = jsonOf({ kind: "remove", owner });
  return [
    {
      action: "delete",
      what: "load balancer",
      target,
      before: { target },
      after: { operation: "EnsureLoadBalancerDeleted" },
      request,
    },
  ];
}

function serving(
  style: EnsureStyle,
  { owner, observed, everything }: LoadBalancerPlanInput<EnsuredLoadBalancer>,
  spec: LoadBalancerSpec,
): readonly CloudChange[] {
  const { ensured, status } = observed;
  const target = style.name(owner);
  const isAsRequested = isDeepStrictEqual(ensured?.fields, jsonFields(spec)) && everything !== true;
  const isThere = status !== undefined || ensured?.isElsewhere === true;
  if (ensured === undefined || !isAsRequested || !isThere) {
    const action = isThere ? "update" : "create";
    const request = jsonOf({ kind: "ensure", spec });
    const difference = isThere ? sinceEnsured(ensured, spec) : fromNothing(spec);
    return [{ action, what: "load balancer", target, ...difference, request }];
  }
  const members = membersChange(ensured, spec);
  const isSame = members.added.length + members.removed.length === 0;
  if (isSame || status === undefined) return [];
  const before = { members: { count: ensured.members.length } };
  const request = jsonOf({ kind: "members", spec, status });
  const after = { operation: "UpdateLoadBalancer", members };
  return [{ action: "members", what: "members", target, before, after, request }];
}

function reached(status: LoadBalancerStatus | undefined): LoadBalancerStatus | undefined {
  return status === undefined || status.ingress.length === 0 ? undefined : status;
}

function factsOf(name: string, status: LoadBalancerStatus | undefined): LoadBalancerPlan["actual"] {
  if (status === undefined) return undefined;
  const addresses = status.ingress.flatMap(({ ip, hostname }) => ip ?? hostname ?? []);
  return { id: name, name, type: "network", addresses, state: "present", parts: [] };
}

function aspectOf(spec: LoadBalancerSpec, { ensured }: EnsuredLoadBalancer): LoadBalancerAspect {
  const name = "all but members";
  const desired = "as asked for";
  if (ensured === undefined) return { name, desired, actual: "not compared since the start" };
  const isSame = isDeepStrictEqual(ensured.fields, jsonFields(spec));
  return { name, desired, actual: isSame ? desired : "as asked for earlier" };
}

/** The request of a change, as `planOf` writes it. */
type Request =
  | { readonly kind: "ensure"; readonly spec: LoadBalancerSpec }
  | {
      readonly kind: "members";
      readonly spec: LoadBalancerSpec;
      /** The addresses, which a change of members does not affect. */
      readonly status: LoadBalancerStatus;
    }
  | { readonly kind: "remove"; readonly owner: LoadBalancerOwner };

async function apply(
  wrapped: Wrapped,
  { request }: CloudChange,
  context: CallContext,
): Promise<EnsuredLoadBalancer | undefined> {
  context.signal.throwIfAborted();
  const options = JSON.parse(JSON.stringify(request)) as Request;
  if (options.kind === "remove") return applyRemoval(wrapped, options.owner, context);
  const { style, memoryStore } = wrapped;
  const { objectUid } = options.spec.owner;
  const before = memoryStore.of(objectUid);
  // The result is unknown until the call has succeeded; if it fails, everything is ensured again.
  memoryStore.put(objectUid, UNKNOWN);
  if (options.kind === "members") {
    await style.updateMembers(options.spec, context);
    const memory = withMembers(before, options.spec);
    memoryStore.put(objectUid, memory);
    return { status: options.status, ...memory };
  }
  const answer = await style.ensure(options.spec, context);
  const isElsewhere = answer === "elsewhere";
  const ensured = {
    fields: jsonFields(options.spec),
    members: memberIds(options.spec),
    isElsewhere,
  };
  const memory = { ensured, isRemoved: false };
  memoryStore.put(objectUid, memory);
  return { status: isElsewhere ? undefined : answer, ...memory };
}

function withMembers(before: Memory, spec: LoadBalancerSpec): Memory {
  const { ensured } = before;
  return ensured === undefined
    ? before
    : { ...before, ensured: { ...ensured, members: memberIds(spec) } };
}

async function applyRemoval(
  { style, memoryStore }: Wrapped,
  owner: LoadBalancerOwner,
  context: CallContext,
): Promise<EnsuredLoadBalancer> {
  memoryStore.put(owner.objectUid, UNKNOWN);
  await style.remove(owner, context);
  memoryStore.put(owner.objectUid, { isRemoved: true });
  return { status: undefined, isRemoved: true };
}

function jsonOf(request: Request): Json {
  return JSON.parse(JSON.stringify(request));
}
