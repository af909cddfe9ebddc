import type { LoadBalancerMember } from "@cloudwright/provider-api";
import type { Json } from "../../../model/values/json.ts";
import type { MemberSet } from "./members.ts";

/** Returns the node name of a machine, or the cloud's name for it if its node is gone and forgotten. */
export type NameOf = (machine: string) => string;

/** `before`: members whose nodes may be gone now. Providers write a machine as its provider ID or as the end of that. */
export function memberNames(set: MemberSet, before: readonly LoadBalancerMember[]): NameOf {
  const known = namesOf(set);
  return (machine) =>
    known.get(machine) ??
    before.find(({ providerID }) => isNamed(providerID, machine))?.nodeName ??
    machine;
}

const NAMES = new WeakMap<MemberSet, ReadonlyMap<string, string>>();

/** Computed once for all Services with the same nodes. */
function namesOf(set: MemberSet): ReadonlyMap<string, string> {
  const kept = NAMES.get(set);
  if (kept !== undefined) return kept;
  const names = new Map<string, string>();
  for (const { providerID, node } of set.nodes) {
    if (providerID === undefined) continue;
    names.set(endOf(providerID), node);
    names.set(providerID, node);
  }
  NAMES.set(set, names);
  return names;
}

function isNamed(providerID: string, machine: string): boolean {
  return providerID === machine || endOf(providerID) === machine;
}

function endOf(providerID: string): string {
  return providerID.slice(providerID.lastIndexOf("/") + 1);
}

const LISTS: ReadonlySet<string> = new Set(["added", "removed"]);

/** Returns what a provider says of a change, with the node names of added and removed members. */
export function withMemberNames(shown: Json, nameOf: NameOf): Json {
  if (typeof shown !== "object" || shown === null || Array.isArray(shown)) return shown;
  const entries = Object.entries(shown).map(([key, value]) => [key, named(key, value, nameOf)]);
  return Object.fromEntries(entries);
}

function named(key: string, value: Json | undefined, nameOf: NameOf): Json | undefined {
  if (value === undefined) return undefined;
  if (!LISTS.has(key) || !Array.isArray(value)) return withMemberNames(value, nameOf);
  return value.map((one) => (typeof one === "string" ? nameOf(one) : one));
}
