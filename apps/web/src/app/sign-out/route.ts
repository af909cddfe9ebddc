import { auth } from "../../server/auth.ts";
import { environment } from "../../server/environment.ts";
import { isSameOrigin } from "../../server/same-origin.ts";

export const dynamic = "force-dynamic";

export async function POST(request: Request): Promise<Response> {
  if (!isSameOrigin(request.headers, environment().publicOrigin)) {
    return new Response("This request does not come from the dashboard's own pages.", {
      status: 403,
    });
  }
  await auth().api.signOut({ headers: request.headers });
  return new Response(null, { status: 303, headers: { Location: "/sign-in?refused=out" } });
}
