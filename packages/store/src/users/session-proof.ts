import { createHash } from "node:crypto";

/** A session that a request has shown. It opens nothing: who has it can only write down what its user did. */
export interface SessionProof {
  readonly kind: "session";
  readonly id: string;
  /** SHA-256 of the token that the browser holds, as hex. */
  readonly tokenHash: string;
}

/** Shows the database that a user is who acts: it looks the user up and believes no name. */
export type UserProof = SessionProof | { readonly kind: "signInToken"; readonly token: string };

/** `token`: what the browser holds. */
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
 * What the table of sessions keeps of a token: the hash of its proof, as hex. So a row that somebody has read neither signs in
 * nor proves who acts.
 */
export function storedSessionToken(token: string): string {
  return sha256(sha256(token));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
