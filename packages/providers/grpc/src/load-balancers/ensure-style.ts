import {
  type CallContext,
  type EnsureStyle,
  type LoadBalancerOwner,
  type LoadBalancerSpec,
  type LoadBalancerStatus,
  type LoadBalancers,
  ProviderError,
  upstreamLoadBalancerName,
  wrapEnsureStyle,
} from "@cloudwright/provider-api";
import type { Bridge, FenceInit } from "../bridge.ts";
import {
  type LoadBalancerAbilities,
  Provider,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import type { RefOf } from "../object-sync.ts";
import { abilitiesOf, statusOf } from "./answers.ts";
import { listOwned } from "./owned.ts";
import { type NamedObjects, NO_OBJECTS, ownerMessage, specMessage } from "./requests.ts";

/** The maximum number of remembered names; a forgotten one returns with the next observation. */
const MOST_NAMES = 50_000;
/**
 * Upstream works on one Service at a time, and providers rely on that: two changes to a security group shared by their load
 * balancers would overwrite each other.
 */
const CHANGES_AT_ONCE = 1;
/**
 * Upstream's manager sets no time limit for a change, and providers wait in it for later effects in the cloud: AWS's for up to
 * ten minutes until a security group is unused. If a change is given up before, it leaves the group behind, since nothing asks
 * for it again once the load balancer is gone.
 */
const CHANGE_TIMEOUT_MS = 660_000;
/** The prefix of every annotation. */
const ANY = "";

/** Creates load balancers of a process that ensures each one as a whole, like upstream's interface. */
export function createEnsuredLoadBalancers(
  bridge: Bridge,
  message: LoadBalancerAbilities,
): LoadBalancers {
  return wrapEnsureStyle(new EnsuredByProcess(bridge, message));
}

/** A class, since it remembers the names that the process reports. */
class EnsuredByProcess implements EnsureStyle {
  readonly provider: string;
  readonly abilities: EnsureStyle["abilities"];
  readonly #bridge: Bridge;
  readonly #needsObjects: boolean;
  readonly #names = new Map<string, string>();

  constructor(bridge: Bridge, message: LoadBalancerAbilities) {
    const abilities = abilitiesOf(message);
    const { annotationPrefixes: prefixes } = abilities;
    this.provider = bridge.provider;
    this.abilities = {
      ...abilities,
      changesAtOnce: CHANGES_AT_ONCE,
      changeTimeoutMs: CHANGE_TIMEOUT_MS,
      annotationPrefixes: prefixes.length === 0 ? [ANY] : prefixes,
    };
    this.#bridge = bridge;
    this.#needsObjects = message.needsObjects;
  }

  /**
   * Returns the name that the process reported with the last observation, which comes before any plan; else that of upstream's
   * providers.
   */
  name(owner: LoadBalancerOwner): string {
    return this.#names.get(owner.objectUid) ?? upstreamLoadBalancerName(owner);
  }

  async get(
    owner: LoadBalancerOwner,
    context: CallContext,
  ): Promise<LoadBalancerStatus | undefined> {
    const objects = this.#ofOwner(owner);
    const { status, name } = await this.#bridge.read(context, {
      method: Provider.method.getLoadBalancer,
      target: targetOf(owner),
      objects: [objects.service],
      request: (refOf) => ({ owner: ownerMessage(owner, objects, refOf) }),
      calls: ({ calls }) => calls,
    });
    if (name !== "") this.#remember(owner.objectUid, name);
    return status === undefined ? undefined : statusOf(status);
  }

  async ensure(
    spec: LoadBalancerSpec,
    context: CallContext,
  ): Promise<LoadBalancerStatus | "elsewhere"> {
    const { result } = await this.#bridge.change(context, {
      method: Provider.method.ensureLoadBalancer,
      timeoutMs: CHANGE_TIMEOUT_MS,
      ...this.#ofSpec(spec),
      calls: ({ calls }) => calls,
    });
    if (result.case === "elsewhere") return "elsewhere";
    if (result.case === "status") return statusOf(result.value);
    const call = { provider: this.provider, operation: "EnsureLoadBalancer" };
    throw new ProviderError("Invalid", "The answer does not mention the load balancer.", {
      ...call,
      target: targetOf(spec.owner),
      mayBeDone: true,
    });
  }

  async updateMembers(spec: LoadBalancerSpec, context: CallContext): Promise<void> {
    await this.#bridge.change(context, {
      method: Provider.method.updateLoadBalancerMembers,
      timeoutMs: CHANGE_TIMEOUT_MS,
      ...this.#ofSpec(spec),
      calls: ({ calls }) => calls,
    });
  }

  async remove(owner: LoadBalancerOwner, context: CallContext): Promise<void> {
    const objects = this.#ofOwner(owner);
    await this.#bridge.change(context, {
      method: Provider.method.deleteLoadBalancer,
      timeoutMs: CHANGE_TIMEOUT_MS,
      target: targetOf(owner),
      objects: [objects.service],
      request: (refOf, fence) => ({ fence, owner: ownerMessage(owner, objects, refOf) }),
      calls: ({ calls }) => calls,
    });
  }

  owned: NonNullable<EnsureStyle["owned"]> = (clusterUid, context) =>
    listOwned(this.#bridge, clusterUid, context);

  #ofOwner({ objectUid }: LoadBalancerOwner): NamedObjects {
    if (!this.#needsObjects) return NO_OBJECTS;
    return { service: this.#bridge.objects.service(objectUid), nodes: [] };
  }

  #ofSpec(spec: LoadBalancerSpec) {
    const { service } = this.#ofOwner(spec.owner);
    const nodes = this.#needsObjects
      ? spec.members.map(({ nodeName }) => this.#bridge.objects.node(nodeName))
      : [];
    const request = (refOf: RefOf, fence: FenceInit) => ({
      fence,
      spec: specMessage(spec, { service, nodes }, refOf),
    });
    return { target: targetOf(spec.owner), objects: [service, ...nodes], request };
  }

  #remember(uid: string, name: string): void {
    this.#names.delete(uid);
    this.#names.set(uid, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > MOST_NAMES && oldest !== undefined) this.#names.delete(oldest);
  }
}

function targetOf({ namespace, name }: LoadBalancerOwner): string {
  return `${namespace}/${name}`;
}
