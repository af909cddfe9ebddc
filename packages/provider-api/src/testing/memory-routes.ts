import { isIPv6 } from "node:net";
import type { CallContext } from "../call-context.ts";
import type { ForeignRoute, RoutesFixture } from "../kit/routes/fixture.ts";
import type { CloudRoute, RouteListing, RouteOwner, RouteSpec, Routes } from "../routes.ts";
import { MemoryCloud } from "./memory-cloud.ts";

interface Kept {
  readonly id: string;
  readonly destination: string;
  /** The machine's name; undefined when the route leads nowhere. */
  readonly machine: string | undefined;
  readonly owner: RouteOwner | undefined;
}

const TABLE = { id: "t-1", name: "main" };
const SCHEME = "memory://";

/** A route table in memory and its provider; each method can be replaced to break the contract. */
export class MemoryRoutes extends MemoryCloud implements Routes {
  readonly kept = new Map<string, Kept>();
  readonly machines = new Set<string>();
  most = Number.POSITIVE_INFINITY;
  #made = 0;

  readonly abilities = { families: ["IPv4", "IPv6"], storesOwner: true } as const;

  list(context: CallContext): Promise<RouteListing> {
    return this.request(context, "GET", () => ({
      routes: [...this.kept.values()].map((kept) => this.shown(kept)),
      tables: [{ ...TABLE, used: this.kept.size, capacity: 5_000 }],
    }));
  }

  create(spec: RouteSpec, context: CallContext): Promise<CloudRoute> {
    return this.request(context, "create", () => {
      const machine = this.machineOf(spec);
      if (!this.machines.has(machine)) {
        throw this.failed("create", { code: "NotFound", status: 404 });
      }
      const there = this.at(spec.destination);
      if (there === undefined) {
        if (this.kept.size >= this.most) {
          throw this.failed("create", { code: "QuotaExceeded", status: 409 });
        }
        return this.shown(this.put({ ...spec, machine }));
      }
      if (this.isMadeFor(there, spec)) return this.shown(there);
      throw this.failed("create", { code: "Conflict", status: 409 });
    });
  }

  remove({ id }: CloudRoute, context: CallContext): Promise<void> {
    return this.request(context, "remove", () => {
      this.kept.delete(id);
    });
  }

  put(route: Omit<Kept, "id">): Kept {
    this.#made += 1;
    const { destination, machine, owner } = route;
    const made = { id: `r-${this.#made}`, destination, machine, owner };
    this.kept.set(made.id, made);
    return made;
  }

  at(destination: string): Kept | undefined {
    return [...this.kept.values()].find((one) => canonical(one.destination) === destination);
  }

  isMadeFor({ machine, owner }: Kept, spec: RouteSpec): boolean {
    const { clusterUid, objectUid } = spec.owner;
    const isOwn = owner?.clusterUid === clusterUid && owner.objectUid === objectUid;
    return isOwn && machine === this.machineOf(spec);
  }

  machineOf({ target: { nodeName, providerID } }: RouteSpec): string {
    return providerID === undefined ? nodeName : providerID.slice(SCHEME.length);
  }

  shown({ id, destination, machine, owner }: Kept): CloudRoute {
    return {
      id,
      table: TABLE.id,
      name: owner?.objectUid ?? "",
      destination,
      target: { providerID: providerIDOf(machine), nodeName: undefined },
      comparesAddresses: false,
      targetAddresses: [],
      blackhole: machine !== undefined && !this.machines.has(machine),
      owner,
    };
  }

  fixture(): RoutesFixture {
    return {
      provider: this.provider,
      routes: this,
      createMachine: async (name) => {
        this.machines.add(name);
        return `${SCHEME}${name}`;
      },
      table: async () =>
        [...this.kept.values()].map(({ id, destination, machine, owner }) => ({
          id,
          destination: canonical(destination),
          providerID: providerIDOf(machine),
          owner,
        })),
      unknownMachine: `${SCHEME}nothing`,
      removeMachine: async (providerID) => {
        this.machines.delete(providerID.slice(SCHEME.length));
      },
      createForeign: async (route) => this.put(this.#foreign(route)).id,
      otherSpelling: { asKept: "FD00:120:0:0001::/64", canonical: "fd00:120:0:1::/64" },
      removeRoute: async (id) => {
        this.kept.delete(id);
      },
      loseNextAnswer: async (action) => {
        this.lost = action;
      },
      throttle: (retryAfterMs) => this.break({ code: "Throttled", retryAfterMs }),
      breakCloud: () => this.break({ code: "Unavailable" }),
      answerWithoutEnd: () => this.break({ code: "OutOfBounds" }),
      limitRoutes: async (count) => {
        this.most = count;
      },
      fill: async (count) => {
        for (let number = 0; number < count; number++) {
          const destination = `172.16.${number >> 8}.${number & 255}/32`;
          this.put({ destination, machine: undefined, owner: undefined });
        }
      },
    };
  }

  #foreign({ destination, providerID, owner }: ForeignRoute): Omit<Kept, "id"> {
    return { destination, machine: providerID?.slice(SCHEME.length), owner };
  }
}

function providerIDOf(machine: string | undefined): string | undefined {
  return machine === undefined ? undefined : `${SCHEME}${machine}`;
}

function canonical(destination: string): string {
  const [address = "", bits] = destination.split("/");
  return isIPv6(address)
    ? `${new URL(`http://[${address}]`).hostname.slice(1, -1)}/${bits}`
    : destination;
}
