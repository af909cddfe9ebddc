import { apiError, invalidField } from "../http/api-error.ts";
import { rangeOf, rangeOfV6, walk } from "../resources/address-range.ts";
import { canonicalAddress } from "../resources/cidr.ts";
import type { StoredLoadBalancer } from "./load-balancer.ts";

type OwnAddresses = StoredLoadBalancer["own"];

/** The inputs that determine a load balancer's addresses. */
export interface AddressOptions {
  readonly families: StoredLoadBalancer["families"];
  readonly internal: boolean;
  /** Its current addresses; kept unless another one is requested. */
  readonly own: OwnAddresses;
  readonly requested?: string | undefined;
}

/** The addresses of all load balancers; none is assigned twice, or is a machine's. */
export class LoadBalancerAddresses {
  readonly #taken = new Set<string>();
  readonly #isMachines: (address: string) => boolean;
  readonly #next: Readonly<Record<"external" | "internal", { v4: () => string; v6: () => string }>>;

  constructor(isMachines: (address: string) => boolean) {
    this.#isMachines = isMachines;
    const isTaken = (address: string): boolean => this.#isTaken(address);
    this.#next = {
      external: {
        v4: walk([rangeOf("198.19.0.0", 16)], isTaken),
        v6: walk([rangeOfV6("2001:db8::")], isTaken),
      },
      internal: {
        v4: walk([rangeOf("10.32.0.0", 16)], isTaken),
        v6: walk([rangeOfV6("fd00:32::")], isTaken),
      },
    };
  }

  /** Throws ApiError `conflict` when the requested address is taken, `invalid` when its family is not requested. */
  choose({ families, internal, own, requested }: AddressOptions): OwnAddresses {
    const next = this.#next[internal ? "internal" : "external"];
    const wanted = requested === undefined ? {} : this.#granted(requested, { families, own });
    const v4 = families.includes("IPv4") ? (wanted.v4 ?? own.v4 ?? next.v4()) : undefined;
    const v6 = families.includes("IPv6") ? (wanted.v6 ?? own.v6 ?? next.v6()) : undefined;
    return { ...(v4 === undefined ? {} : { v4 }), ...(v6 === undefined ? {} : { v6 }) };
  }

  /** Must be called for every change of a load balancer, to track its addresses. */
  changed(before: StoredLoadBalancer | undefined, after: StoredLoadBalancer | undefined): void {
    for (const address of Object.values(before?.own ?? {})) {
      this.#taken.delete(address);
    }
    for (const address of Object.values(after?.own ?? {})) {
      this.#taken.add(address);
    }
  }

  #granted(requested: string, { families, own }: Omit<AddressOptions, "internal">): OwnAddresses {
    const address = canonicalAddress(requested);
    const isV6 = address.includes(":");
    if (!families.includes(isV6 ? "IPv6" : "IPv4")) {
      throw invalidField("requestedAddress", `the families ${families.join(", ")} do not have it`);
    }
    const isOwn = own.v4 === address || own.v6 === address;
    if (!isOwn && this.#isTaken(address)) {
      throw apiError("conflict", `The address ${address} is taken: ask for another one.`);
    }
    return isV6 ? { v6: address } : { v4: address };
  }

  #isTaken(address: string): boolean {
    return this.#taken.has(address) || this.#isMachines(address);
  }
}
