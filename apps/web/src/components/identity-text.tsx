import { shortIdentity } from "./presentation/format-text.ts";

/** Which replica: short, and whole in its title. */
export function IdentityText({ identity }: { readonly identity: string }) {
  return <span title={identity}>{shortIdentity(identity)}</span>;
}
