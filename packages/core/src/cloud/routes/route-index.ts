import type { CloudRoute } from "@cloudwright/provider-api";
import { formatCidr, parseCidr } from "../../model/values/cidr.ts";

/** The traits by which routes are found; a route matches if it has one of them. */
export interface RouteTraits {
  /** Canonical CIDRs; anything else as it is written. */
  readonly destinations: Iterable<string>;
  /** UIDs in marks. */
  readonly owners: Iterable<string>;
  /** Provider IDs of targets. */
  readonly machines: Iterable<string>;
  /** Node names of targets. */
  readonly nodeNames: Iterable<string>;
}

/** Routes by their traits, so that finding one node's routes costs as much in a table of ten thousand as in one of ten. */
export class RouteIndex {
  readonly #byTrait = new Map<string, Set<CloudRoute>>();

  constructor(routes: Iterable<CloudRoute> = []) {
    for (const route of routes) this.add(route);
  }

  add(route: CloudRoute): void {
    for (const trait of traitsOf(route)) {
      const having = this.#byTrait.get(trait);
      if (having === undefined) this.#byTrait.set(trait, new Set([route]));
      else having.add(route);
    }
  }

  remove(route: CloudRoute): void {
    for (const trait of traitsOf(route)) {
      const having = this.#byTrait.get(trait);
      having?.delete(route);
      if (having?.size === 0) this.#byTrait.delete(trait);
    }
  }

  /** Returns each route with one of the traits, once. */
  having({ destinations, owners, machines, nodeNames }: RouteTraits): readonly CloudRoute[] {
    const found = new Set<CloudRoute>();
    const collect = (kind: Trait, values: Iterable<string>) => {
      for (const value of values) {
        for (const route of this.#byTrait.get(`${kind} ${value}`) ?? []) found.add(route);
      }
    };
    collect("destination", destinations);
    collect("owner", owners);
    collect("machine", machines);
    collect("name", nodeNames);
    return [...found];
  }
}

type Trait = "destination" | "owner" | "machine" | "name";

function traitsOf({ destination, owner: mark, target }: CloudRoute): readonly string[] {
  const traits = [`destination ${canonical(destination)}`];
  if (mark !== undefined) traits.push(`owner ${mark.objectUid}`);
  if (target.providerID !== undefined) traits.push(`machine ${target.providerID}`);
  if (target.nodeName !== undefined) traits.push(`name ${target.nodeName}`);
  return traits;
}

function canonical(destination: string): string {
  const cidr = parseCidr(destination);
  return cidr === undefined ? destination : formatCidr(cidr);
}
