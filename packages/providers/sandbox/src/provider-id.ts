import type { JsonObject } from "@cloudwright/provider-api";

export const SCHEME = "sandbox://";
export const EXPECTED_PROVIDER_ID = `${SCHEME}<id>`;

type ParsedProviderID =
  | { readonly kind: "ours"; readonly id: string }
  | { readonly kind: "foreign" }
  | { readonly kind: "malformed" };

/** Whose instance a provider ID names. One with another scheme is another cloud's, one without a scheme nobody's. */
export function parseProviderID(providerID: string): ParsedProviderID {
  if (!/^[^:/\s]+:\/\//.test(providerID)) return { kind: "malformed" };
  if (!providerID.startsWith(SCHEME)) return { kind: "foreign" };
  const id = providerID.slice(SCHEME.length);
  return /^[^/\s]\S*$/.test(id) ? { kind: "ours", id } : { kind: "malformed" };
}

/** Whether the cloud made this id itself; others are custom provider IDs that it cannot look up. */
export function isOwnId(id: string): boolean {
  return /^i-[0-9a-f]{16}$/.test(id);
}

/** The instance that a provider ID names in this cloud; undefined when it names none. */
export function memberIdOf(providerID: string): string | undefined {
  const parsed = parseProviderID(providerID);
  return parsed.kind === "ours" ? parsed.id : undefined;
}

/** The provider ID by which a member is known; one that the Service's nodes do not have, as this cloud makes them. */
export function providerIDOf(id: string): string {
  return `${SCHEME}${id}`;
}

/** Whether the cloud has just these members, whatever their order. */
export function sameMembers(ids: readonly string[], providerIDs: readonly string[]): boolean {
  const wanted = new Set(providerIDs.map((providerID) => memberIdOf(providerID) ?? providerID));
  return wanted.size === ids.length && ids.every((id) => wanted.has(id));
}

/** What the ledger records of a change of the members: hundreds of them are too many to be listed each time. */
export function membersChange(ids: readonly string[], providerIDs: readonly string[]): JsonObject {
  return { ...memberDifference(ids, providerIDs) };
}

/** `count`: how many there are afterwards. */
export function memberDifference(ids: readonly string[], providerIDs: readonly string[]) {
  const before = new Set(ids);
  const after = new Set(providerIDs.map((providerID) => memberIdOf(providerID) ?? providerID));
  return {
    added: [...after].filter((id) => !before.has(id)),
    removed: [...before].filter((id) => !after.has(id)),
    count: after.size,
  };
}
