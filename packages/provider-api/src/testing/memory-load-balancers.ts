import type { CallContext } from "../call-context.ts";
import { ProviderError } from "../errors.ts";
import type { LoadBalancersFixture } from "../kit/load-balancers/fixture.ts";
import type {
  LoadBalancerOwner,
  LoadBalancerSpec,
  LoadBalancerStatus,
  OwnedLoadBalancer,
  OwnerIdentity,
} from "../load-balancers.ts";
import { type EnsureStyle, wrapEnsureStyle } from "../wrap-ensure-style.ts";
import { MemoryCloud } from "./memory-cloud.ts";

interface Kept {
  readonly id: string;
  readonly owner: OwnerIdentity;
  members: readonly string[];
  ports: readonly number[];
  families: readonly string[];
}

/** A cloud in memory whose provider knows only "ensure"; each method can be replaced to break its contract. */
export class MemoryLoadBalancers extends MemoryCloud implements EnsureStyle {
  readonly kept = new Map<string, Kept>();
  readonly machines = new Set<string>();
  readonly firewalls = new Set<string>();
  most = Number.POSITIVE_INFINITY;
  #made = 0;

  readonly abilities = {
    protocols: ["TCP"],
    mixedProtocols: false,
    families: ["IPv4", "IPv6"],
    affinity: false,
    sourceRanges: true,
    requestedAddress: false,
    annotationPrefixes: [],
    ignoredFields: [],
  } as const;

  name({ objectUid }: LoadBalancerOwner): string {
    return `a${objectUid.replaceAll("-", "")}`;
  }

  get(owner: LoadBalancerOwner, context: CallContext): Promise<LoadBalancerStatus | undefined> {
    return this.request(context, "GET", () => {
      const one = this.find(owner);
      return one === undefined ? undefined : statusOf(one);
    });
  }

  ensure(spec: LoadBalancerSpec, context: CallContext): Promise<LoadBalancerStatus | "elsewhere"> {
    const { owner, listeners, families, sourceRanges } = spec;
    const isNew = this.find(owner) === undefined;
    return this.request(context, isNew ? "create" : "update", () => {
      const members = this.checked(spec);
      const one = this.find(owner) ?? this.make(owner);
      Object.assign(one, { members, families, ports: listeners.map(({ port }) => port) });
      if (sourceRanges.includes("0.0.0.0/0")) this.firewalls.delete(owner.objectUid);
      else this.firewalls.add(owner.objectUid);
      return statusOf(one);
    });
  }

  updateMembers(spec: LoadBalancerSpec, context: CallContext): Promise<void> {
    return this.request(context, "update", () => {
      const one = this.find(spec.owner);
      if (one !== undefined) one.members = this.checked(spec);
    });
  }

  remove(owner: LoadBalancerOwner, context: CallContext): Promise<void> {
    return this.request(context, "delete", () => {
      const one = this.find(owner);
      if (one !== undefined) this.kept.delete(one.id);
      this.firewalls.delete(owner.objectUid);
    });
  }

  owned(clusterUid: string, context: CallContext): Promise<readonly OwnedLoadBalancer[]> {
    return this.request(context, "GET", () =>
      [...this.kept.values()]
        .filter(({ owner }) => owner.clusterUid === clusterUid)
        .map(({ owner }) => ({
          owner,
          facts: { ...FACTS, id: this.#nameOf(owner), name: this.#nameOf(owner) },
        })),
    );
  }

  find({ clusterUid, objectUid }: OwnerIdentity): Kept | undefined {
    return [...this.kept.values()].find(
      ({ owner }) => owner.clusterUid === clusterUid && owner.objectUid === objectUid,
    );
  }

  make({ clusterUid, objectUid }: OwnerIdentity): Kept {
    this.#made += 1;
    const id = `lb-${this.#made}`;
    const owner = { clusterUid, objectUid };
    const made: Kept = { id, owner, members: [], ports: [], families: [] };
    this.kept.set(id, made);
    return made;
  }

  checked({ members }: LoadBalancerSpec): readonly string[] {
    const ids = members.map(({ providerID }) => providerID);
    const member = ids.find((id) => !this.machines.has(id));
    if (member === undefined) return ids;
    const call = { provider: "memory", operation: "ensure", status: 400, member };
    throw new ProviderError("Invalid", "there is no such machine", call);
  }

  override request<T>(context: CallContext, operation: string, work: () => T): Promise<T> {
    return super.request(context, operation, () => {
      const isFull = operation === "create" && this.kept.size >= this.most;
      if (isFull) throw this.failed(operation, { code: "QuotaExceeded", status: 409 });
      return work();
    });
  }

  fixture(): LoadBalancersFixture {
    return {
      provider: "memory",
      loadBalancers: wrapEnsureStyle(this),
      isWrapped: true,
      createMember: async (name) => {
        this.machines.add(`memory://${name}`);
        return `memory://${name}`;
      },
      existing: async () =>
        [...this.kept.values()].map(({ owner, members, ports }) => ({
          id: this.#nameOf(owner),
          owner,
          members,
          ports,
          addresses: [],
          isBroken: false,
        })),
      parts: async () => [...this.firewalls],
      unknownMember: "memory://nothing",
      removeLoadBalancer: async (name) => {
        const one = [...this.kept.values()].find(({ owner }) => this.#nameOf(owner) === name);
        this.kept.delete(one?.id ?? "");
      },
      loseNextAnswer: async (action) => {
        this.lost = action;
      },
      throttle: (retryAfterMs) => this.break({ code: "Throttled", retryAfterMs }),
      breakCloud: () => this.break({ code: "Unavailable" }),
      answerWithoutEnd: () => this.break({ code: "OutOfBounds" }),
      limitLoadBalancers: async (count) => {
        this.most = count;
      },
    };
  }

  /** Returns the name by which the wrapper identifies a load balancer. */
  #nameOf(owner: OwnerIdentity): string {
    return this.name({ ...owner, namespace: "", name: "", clusterName: "" });
  }
}

const FACTS = { type: "network", addresses: [], state: "present", parts: [] };

function statusOf({ id, families }: Kept): LoadBalancerStatus {
  const number = id.slice("lb-".length);
  return {
    ingress: families.map((family) => ({
      ip: family === "IPv6" ? `2001:db8::${number}` : `192.0.2.${number}`,
    })),
  };
}
