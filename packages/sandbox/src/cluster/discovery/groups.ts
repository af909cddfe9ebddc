import { subresourcesOf } from "../http/subresources.ts";
import { CATALOGUE } from "../resources/catalogue.ts";
import { REVIEWS } from "../reviews/reviews.ts";

/** One resource as discovery lists it. */
export interface ServedResource {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
  }[];
}

export interface ServedGroup {
  /** "" for core. */
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** Returns every group with its version, the core group first, resources by name. */
export function servedGroups(): readonly ServedGroup[] {
  const groups = new Map<string, ServedGroup & { resources: ServedResource[] }>();
  for (const { group, version, resource } of [...keptResources(), ...reviewResources()]) {
    const key = `${group}/${version}`;
    const found = groups.get(key) ?? { group, version, resources: [] };
    found.resources.push(resource);
    groups.set(key, found);
  }
  for (const { resources } of groups.values()) {
    resources.sort((left, right) => (left.plural < right.plural ? -1 : 1));
  }
  return [...groups.values()];
}

function keptResources() {
  return CATALOGUE.map((definition) => {
    const { group, version, plural, singular, kind, namespaced, shortNames, categories } =
      definition;
    const verbs = definition.noDeleteCollection
      ? VERBS.filter((verb) => verb !== "deletecollection")
      : VERBS;
    const subresources = subresourcesOf(definition);
    const resource = {
      plural,
      singular,
      kind,
      namespaced,
      verbs,
      shortNames,
      categories,
      subresources,
    };
    return { group, version, resource };
  });
}

function reviewResources() {
  return REVIEWS.map(({ group, version, plural, kind, namespaced }) => {
    const singular = kind.toLowerCase();
    const none = { shortNames: [], categories: [], subresources: [] };
    return {
      group,
      version,
      resource: { plural, singular, kind, namespaced, verbs: ["create"], ...none },
    };
  });
}
