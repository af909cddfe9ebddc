import { insertAuditEntry } from "@cloudwright/store/audit/audit-insert";
import { environment } from "../environment.ts";
import { ledger } from "../ledger.ts";
import { clientOf } from "../requests/client.ts";
import { isSameOrigin } from "../requests/same-origin.ts";
import { auth } from "./auth.ts";
import { signedInOf } from "./viewer.ts";

/** Ends the session and writes its audit entry. Without a session it does nothing. */
export async function signOutRequest(request: Request): Promise<Response> {
  const { headers } = request;
  if (!isSameOrigin(headers, environment().publicOrigin)) {
    return new Response("This request does not come from the dashboard's own pages.", {
      status: 403,
    });
  }
  const signedIn = await signedInOf(headers);
  if (signedIn !== undefined) {
    const { viewer, proof } = signedIn;
    await insertAuditEntry(ledger().prisma, {
      actor: { kind: "person", id: viewer.id, name: viewer.name },
      action: "account.sign-out",
      why: "Signed out",
      result: "applied",
      before: null,
      after: null,
      client: clientOf(headers),
      proof,
    });
    await auth().api.signOut({ headers });
  }
  return new Response(null, { status: 303, headers: { Location: "/sign-in?refused=out" } });
}
