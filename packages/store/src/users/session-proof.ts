import { createHash } from "node:crypto";

/** The session of a request. It grants no access: its holder can only record what its user did. */
export interface SessionProof {
  readonly kind: "session";
  readonly id: string;
  /** SHA-256 of the browser's token, as hex. */
  readonly tokenHash: string;
}

/** Proves to the database which user acts: the database looks the user up and trusts no name. */
export type UserProof = SessionProof | { readonly kind: "signInToken"; readonly token: string };

/** `token`: the browser's token. */
export function sessionProof({
  id,
  token,
}: {
  readonly id: string;
  readonly token: string;
}): SessionProof {
  return { kind: "session", id, tokenHash: sha256(token) };
}

/**
 * Returns what the table of sessions stores of a token: the hash of its proof, as hex. So a leaked row neither signs in nor proves who
 * acts.
 */
export function storedSessionToken(token: string): string {
  return sha256(sha256(token));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
