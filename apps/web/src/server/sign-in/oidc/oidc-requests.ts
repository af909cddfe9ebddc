import type { OidcSettings } from "@cloudwright/core/model/sign-in/oidc-settings";
import { isOperationError } from "@cloudwright/store/operations/errors";
import {
  EXTERNAL_REFUSALS,
  type ExternalIdentity,
  recordExternalRefusal,
} from "@cloudwright/store/users/external-sign-in";
import { environment } from "../../environment.ts";
import { ledger } from "../../ledger.ts";
import { log } from "../../log.ts";
import { processWide } from "../../process-wide.ts";
import { clientOf } from "../../requests/client.ts";
import { rateLimiter } from "../../requests/rate-limit.ts";
import { safeNextPath } from "../../requests/same-origin.ts";
import { auth } from "../auth.ts";
import {
  type Refusal,
  redirectTo,
  refuseSignIn,
  refuseUnseen,
  whyRefused,
} from "../sign-in-answers.ts";
import { endStepCookie, type StepCookie, setStepCookie, stepCookieOf } from "../step-cookie.ts";
import { identityProvider } from "./identity-provider.ts";
import { errorOf, isNoAnswer } from "./oidc-error.ts";
import {
  beginSignIn,
  type Flow,
  finishSignIn,
  openPending,
  PENDING_SECONDS,
  sealPending,
} from "./oidc-flow.ts";

const PATH = "/sign-in/oidc";
const COOKIE: StepCookie = { name: "cloudwright.oidc", path: PATH };
const CALLBACK = `${PATH}/callback`;
/** Per address, so that nobody makes the dashboard query the provider endlessly. */
const REQUESTS_A_MINUTE = 120;

/** Sends the browser to the identity provider. It changes nothing, so a plain link leads here. */
export async function oidcRequest(request: Request): Promise<Response> {
  const next = safeNextPath(new URL(request.url).searchParams.get("next"));
  const { oidc, authSecret } = environment();
  if (oidc === undefined) return refuseSignIn("oidc-off", next);
  if (!isAllowed(request)) return refuseUnseen(request, "limit", next);
  const flow = await flowOf(oidc);
  if (flow === undefined) return refuseSignIn("oidc-down", next);
  const { url, pending } = await beginSignIn(flow, { next, now: Date.now() });
  const answer = redirectTo(url.href);
  const text = sealPending(pending, authSecret);
  setStepCookie(answer, COOKIE, { text, seconds: PENDING_SECONDS });
  return answer;
}

/** The address to which the identity provider sends the browser back: begins the session of the identified user. */
export async function oidcCallback(request: Request): Promise<Response> {
  const answer = await answerTo(request);
  endStepCookie(answer, COOKIE);
  return answer;
}

async function answerTo(request: Request): Promise<Response> {
  const { oidc, authSecret } = environment();
  if (oidc === undefined) return refuseSignIn("oidc-off");
  if (!isAllowed(request)) return refuseUnseen(request, "limit");
  const sealed = stepCookieOf(request.headers, COOKIE);
  const pending = openPending(sealed, { secret: authSecret, now: Date.now() });
  if (pending === undefined) return refuseSignIn("oidc-expired");
  const { next } = pending;
  const flow = await flowOf(oidc);
  if (flow === undefined) return refuseSignIn("oidc-down", next);
  const { search } = new URL(request.url);
  const came = await finishSignIn(flow, { search, pending }).catch((error: unknown) =>
    refusedBy(error, { issuer: oidc.issuer }),
  );
  const identity = came ?? "oidc-email";
  if (typeof identity === "string") {
    await recordUnverified(request.headers, identity);
    return refuseSignIn(identity, next);
  }
  return signIn(request.headers, { identity, next });
}

async function signIn(
  headers: Headers,
  { identity, next }: { readonly identity: ExternalIdentity; readonly next: string },
): Promise<Response> {
  try {
    await auth().api.signInByIdentity({ body: identity, headers });
  } catch (error) {
    return refuseSignIn(known(error) ?? whyRefused(error, "server"), next);
  }
  return redirectTo(next);
}

function known(error: unknown): Refusal | undefined {
  if (!isOperationError(error)) return undefined;
  for (const why of ["role", "taken", "disabled"] as const) {
    if (error.message === EXTERNAL_REFUSALS[why]) return `oidc-${why}`;
  }
  return undefined;
}

type Unverified = "oidc-down" | "oidc-denied" | "oidc-unverified" | "oidc-email";

function refusedBy(error: unknown, at: { readonly issuer: string }): Unverified {
  log.warn("A sign-in at the identity provider failed", { ...at, ...errorOf(error) });
  if (isNoAnswer(error)) return "oidc-down";
  return isDenied(error) ? "oidc-denied" : "oidc-unverified";
}

/** Reports whether the user or the provider refused. */
function isDenied(error: unknown): boolean {
  return error instanceof Error && "error" in error && error.error === "access_denied";
}

const RECORDED: Partial<Record<Unverified, string>> = {
  "oidc-denied": "The identity provider refused the sign-in",
  "oidc-unverified": "The answer of the identity provider could not be verified",
  "oidc-email": "The identity provider named no e-mail address",
};

async function recordUnverified(headers: Headers, refusal: Unverified): Promise<void> {
  const why = RECORDED[refusal];
  if (why === undefined) return;
  const context = { db: ledger(), client: clientOf(headers) };
  await recordExternalRefusal(context, undefined, why).catch((error: unknown) =>
    log.error("A refused sign-in could not be recorded", { error: String(error) }),
  );
}

/** Returns undefined while the provider does not answer. */
async function flowOf(settings: OidcSettings): Promise<Flow | undefined> {
  const provider = await identityProvider(settings);
  const origin = environment().publicOrigin ?? "";
  return provider && { settings, provider, redirectUri: `${origin}${CALLBACK}` };
}

function isAllowed({ headers }: Request): boolean {
  const limiter = processWide("oidc-requests", () =>
    rateLimiter({ attempts: REQUESTS_A_MINUTE, withinMs: 60_000 }),
  );
  return limiter.allow(clientOf(headers).address, Date.now());
}
