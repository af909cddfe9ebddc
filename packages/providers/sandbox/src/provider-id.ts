export const SCHEME = "sandbox://";
export const EXPECTED_PROVIDER_ID = `${SCHEME}<id>`;

export type ParsedProviderID =
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
