import { shortIdentity } from "./presentation/format-text.ts";

/** The name of a replica, shortened; its title has the full identity. */
export function IdentityText({ identity }: { readonly identity: string }) {
  return <span title={identity}>{shortIdentity(identity)}</span>;
}
