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

export function sessionProof(session: {
  readonly id: string;
  readonly token: string;
}): SessionProof {
  const tokenHash = createHash("sha256").update(session.token).digest("hex");
  return { kind: "session", id: session.id, tokenHash };
}
