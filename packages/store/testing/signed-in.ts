import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import type { Database } from "../src/database/database.ts";
import { type SessionProof, sessionProof, storedSessionToken } from "../src/users/session-proof.ts";

export interface SignedInUser {
  readonly actor: { readonly id: string; readonly name: string; readonly role: Role };
  readonly session: SessionProof;
}

/** Creates a user with a live session, by a login that may do so. */
export async function signedIn(
  { prisma }: Pick<Database, "prisma">,
  { name, role = "admin" }: { readonly name: string; readonly role?: Role },
): Promise<SignedInUser> {
  const user = await prisma.user.create({
    data: { id: randomUUID(), name, email: `${randomUUID()}@example.org`, role },
  });
  const session = { id: randomUUID(), token: randomUUID() };
  await prisma.session.create({
    data: {
      id: session.id,
      token: storedSessionToken(session.token),
      userId: user.id,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  });
  return { actor: { id: user.id, name, role }, session: sessionProof(session) };
}
