import type { JsonObject } from "@cloudwright/provider-api";

export const SCHEME = "sandbox://";
export const EXPECTED_PROVIDER_ID = `${SCHEME}<id>`;

type ParsedProviderID =
  | { readonly kind: "ours"; readonly id: string }
  | { readonly kind: "foreign" }
  | { readonly kind: "malformed" };

/** Parses a provider ID. One with another scheme belongs to another cloud, one without a scheme to none. */
export function parseProviderID(providerID: string): ParsedProviderID {
  if (!/^[^:/\s]+:\/\//.test(providerID)) return { kind: "malformed" };
  if (!providerID.startsWith(SCHEME)) return { kind: "foreign" };
  const id = providerID.slice(SCHEME.length);
  return /^[^/\s]\S*$/.test(id) ? { kind: "ours", id } : { kind: "malformed" };
}

/** Reports whether the cloud generated this id; others are custom provider IDs that it cannot look up. */
export function isOwnId(id: string): boolean {
  return /^i-[0-9a-f]{16}$/.test(id);
}

/** Returns the instance that a provider ID names in this cloud; undefined if it names none. */
export function memberIdOf(providerID: string): string | undefined {
  const parsed = parseProviderID(providerID);
  return parsed.kind === "ours" ? parsed.id : undefined;
}

/** Returns the provider ID of a member; for one that is not among the Service's nodes, in this cloud's own format. */
export function providerIDOf(id: string): string {
  return `${SCHEME}${id}`;
}

/** Reports whether the cloud has exactly these members, in any order. */
export function sameMembers(ids: readonly string[], providerIDs: readonly string[]): boolean {
  const wanted = new Set(providerIDs.map((providerID) => memberIdOf(providerID) ?? providerID));
  return wanted.size === ids.length && ids.every((id) => wanted.has(id));
}

/** Returns what the ledger records about a change of members: there may be hundreds, too many to list each time. */
export function membersChange(ids: readonly string[], providerIDs: readonly string[]): JsonObject {
  return { ...memberDifference(ids, providerIDs) };
}

/** `count`: the number of members afterwards. */
export function memberDifference(ids: readonly string[], providerIDs: readonly string[]) {
  const before = new Set(ids);
  const after = new Set(providerIDs.map((providerID) => memberIdOf(providerID) ?? providerID));
  return {
    added: [...after].filter((id) => !before.has(id)),
    removed: [...before].filter((id) => !after.has(id)),
    count: after.size,
  };
}
