import { isOperationError } from "@cloudwright/store/errors";
import { auth } from "./auth.ts";
import { environment } from "./environment.ts";
import { log } from "./log.ts";
import { rateLimiter } from "./rate-limit.ts";
import { isSameOrigin, safeNextPath } from "./same-origin.ts";

const limiter = rateLimiter({ attempts: 10, withinMs: 60_000 });

/** Uses the link up and starts the session. A POST, so that nothing that merely looks at links can use them up. */
export async function redeemRequest(request: Request): Promise<Response> {
  if (!isSameOrigin(request.headers, environment().publicOrigin)) return refuse("origin");
  if (!limiter.allow(clientOf(request.headers), Date.now())) return refuse("limit");
  const form = await request.formData();
  try {
    await auth().api.redeemSignInLink({
      body: { token: textOf(form.get("token")) },
      headers: request.headers,
    });
  } catch (error) {
    return refuse(isOperationError(error) ? "link" : failed(error));
  }
  return redirectTo(safeNextPath(textOf(form.get("next"))));
}

function refuse(why: "origin" | "limit" | "link" | "server"): Response {
  return redirectTo(`/sign-in?refused=${why}`);
}

function failed(error: unknown): "server" {
  log.error("Signing in failed", { error: error instanceof Error ? error.message : String(error) });
  return "server";
}

/** Relative, because behind a proxy this server does not know its own address. */
function redirectTo(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}

/** The nearest proxy, or Next itself, adds the last entry; the ones before are what the client says. */
function clientOf(headers: Headers): string {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "unknown";
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}
