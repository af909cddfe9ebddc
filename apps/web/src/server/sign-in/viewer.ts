import { t } from "@cloudwright/core/model/language/text";
import { type Role, roleSchema } from "@cloudwright/core/model/roles";
import { type ClusterAccess, clusterAccessOf } from "@cloudwright/store/users/cluster-access";
import { type SessionProof, sessionProof } from "@cloudwright/store/users/session-proof";
import { z } from "zod";
import { unlessDatabaseSilent } from "../database-check.ts";
import { SessionLookupError } from "../errors.ts";
import { auth } from "./auth.ts";

/** Who looks at the page. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Which clusters they see and act on. */
  readonly clusters: ClusterAccess;
  /** Names the session in the list of sessions; it opens nothing. */
  readonly sessionId: string;
}

export interface SignedIn {
  readonly viewer: Viewer;
  /** Shows the ledger who acts; never part of a page. */
  readonly proof: SessionProof;
}

/** The same as `signedInOf`, for whoever writes nothing down. */
export async function viewerOf(headers: Headers): Promise<Viewer | undefined> {
  return (await signedInOf(headers))?.viewer;
}

/**
 * The user behind a request's session cookie, read anew for each request, so that a changed role and a disabled account
 * hold at once; or undefined. Throws SessionLookupError when the ledger cannot be asked.
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

/** The library knows how long a session lives without use, and not that one may end however much it is used. */
function isOver({ endsAt }: { readonly endsAt?: Date | null | undefined }): boolean {
  return endsAt instanceof Date && endsAt.getTime() <= Date.now();
}

/** What cannot be read gives the least. */
const accessSchema = z
  .object({ restricted: z.boolean(), clusters: z.array(z.string()) })
  .catch({ restricted: true, clusters: [] });

/** What whoever is not signed in is answered. */
export const signedOutText = () => t`You are not signed in.`;
