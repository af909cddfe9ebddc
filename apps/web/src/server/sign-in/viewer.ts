import { t } from "@cloudwright/core/model/language/text";
import { type Role, roleSchema } from "@cloudwright/core/model/roles";
import { type ClusterAccess, clusterAccessOf } from "@cloudwright/store/users/cluster-access";
import { type SessionProof, sessionProof } from "@cloudwright/store/users/session-proof";
import { z } from "zod";
import { unlessDatabaseSilent } from "../database-check.ts";
import { SessionLookupError } from "../errors.ts";
import { auth } from "./auth.ts";

/** The user who is looking at the page. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The clusters that they may see and act on. */
  readonly clusters: ClusterAccess;
  /** Identifies the session in the list of sessions; it grants nothing. */
  readonly sessionId: string;
}

export interface SignedIn {
  readonly viewer: Viewer;
  /** Proves to the ledger who acts; never part of a page. */
  readonly proof: SessionProof;
}

/** The same as `signedInOf`, for callers that write nothing. */
export async function viewerOf(headers: Headers): Promise<Viewer | undefined> {
  return (await signedInOf(headers))?.viewer;
}

/**
 * Returns the user behind a request's session cookie, or undefined. It is read again for each request, so that a changed role or a disabled
 * account takes effect at once. Throws SessionLookupError if the ledger cannot be reached.
 */
export async function signedInOf(headers: Headers): Promise<SignedIn | undefined> {
  const session = auth().api.getSession({ headers });
  const found = await unlessDatabaseSilent(session).catch((error: unknown) => {
    throw new SessionLookupError(error);
  });
  if (found === null || found.user.banned === true || isOver(found.session)) return undefined;
  const { id, name, email, role } = found.user;
  const sessionId = found.session.id;
  const clusters = clusterAccessOf(accessSchema.parse(found.user));
  const known = z.catch(roleSchema, "viewer").parse(role);
  const viewer = { id, name, email, role: known, clusters, sessionId };
  return { viewer, proof: sessionProof(found.session) };
}

/** The library knows how long an unused session lives, but not that a session may end however much it is used. */
function isOver({ endsAt }: { readonly endsAt?: Date | null | undefined }): boolean {
  return endsAt instanceof Date && endsAt.getTime() <= Date.now();
}

/** Unreadable access grants the least. */
const accessSchema = z
  .object({ restricted: z.boolean(), clusters: z.array(z.string()) })
  .catch({ restricted: true, clusters: [] });

/** The answer to a user who is not signed in. */
export const signedOutText = () => t`You are not signed in.`;
