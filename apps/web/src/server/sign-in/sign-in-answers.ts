import { messageOf } from "@cloudwright/core/model/values/message-of";
import { isOperationError } from "@cloudwright/store/operations/errors";
import { log } from "../log.ts";
import { recordRefusedRequest } from "../requests/refused-requests.ts";

export type Refusal =
  | "origin"
  | "limit"
  | "link"
  | "password"
  | "code"
  | "code-expired"
  | "code-locked"
  | "server"
  | "local"
  | OidcRefusal;

export type OidcRefusal = `oidc-${
  | "off"
  | "down"
  | "expired"
  | "denied"
  | "unverified"
  | "email"
  | "role"
  | "taken"
  | "disabled"}`;

/** Returns to the sign-in page, which says why and still knows where the user wanted to go. */
export function refuseSignIn(why: Refusal, next = "/"): Response {
  return redirectTo(`/sign-in?refused=${why}${andNext(next)}`);
}

/** Goes to the second step of the sign-in page. */
export function askForCode(next: string): Response {
  return redirectTo(`/sign-in?step=code${andNext(next)}`);
}

function andNext(next: string): string {
  return next === "/" ? "" : `&next=${encodeURIComponent(next)}`;
}

/** Refuses an attempt before checking who it might be; the ledger records this as well. */
export async function refuseUnseen(
  { headers, url }: Request,
  why: "origin" | "limit",
  next = "/",
): Promise<Response> {
  const path = new URL(url).pathname.slice(1);
  await recordRefusedRequest({ headers, path, why: UNSEEN[why], signedIn: undefined });
  return refuseSignIn(why, next);
}

const UNSEEN = {
  origin: "Signing in did not come from the dashboard's own page",
  limit: "Too many tries to sign in were waiting",
} as const;

/** One of our refusals gives `known`; anything else is a server failure, which is logged. */
export function whyRefused(error: unknown, known: Refusal): Refusal {
  if (isOperationError(error)) return known;
  log.error("Signing in failed", { error: messageOf(error) });
  return "server";
}

/** Relative, because behind a proxy this server does not know its own address. */
export function redirectTo(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path } });
}

const FORM_MOST_BYTES = 16_384;

/** Returns the text fields of a form; undefined for a body that is no form, or too long to be one of ours. */
export async function readForm(
  request: Request,
): Promise<{ text(name: string): string } | undefined> {
  if (Number(request.headers.get("content-length") ?? Number.NaN) <= FORM_MOST_BYTES) {
    const form = await request.formData().catch(() => undefined);
    if (form !== undefined) return { text: (name) => textOf(form.get(name)) };
  }
  return undefined;
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}
