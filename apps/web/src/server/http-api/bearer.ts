import { acceptApiToken, type TokenHolder } from "@cloudwright/store/users/accept-api-token";
import { unlessDatabaseSilent } from "../database-check.ts";
import { isUnreachable, noLedger } from "../errors.ts";
import { ledger } from "../ledger.ts";
import { log } from "../log.ts";
import { processWide } from "../process-wide.ts";
import { clientOf } from "../requests/client.ts";
import { rateLimiter } from "../requests/rate-limit.ts";
import { signInDelays } from "../sign-in/sign-in-delays.ts";
import { ApiProblem } from "./problem.ts";

const REALM = 'Bearer realm="cloudwright"';
/** Requests per token and minute, in one process of the dashboard. */
const REQUESTS_A_MINUTE = 600;

const ofToken = rateLimiter({ attempts: REQUESTS_A_MINUTE, withinMs: 60_000 });

/**
 * Returns the holder of the request's token. Throws ApiProblem: 401 without a valid token, 429 for too many requests, 503 if the database
 * cannot be reached. Cookies are ignored, so that no other site's page can send requests in a user's name.
 */
export async function holderOf(request: Request): Promise<TokenHolder> {
  const token = bearerToken(request.headers);
  const client = clientOf(request.headers);
  const asked = `${request.method} ${new URL(request.url).pathname.slice(0, 200)}`;
  const use = await unlessDatabaseSilent(acceptApiToken(ledger(), { token, client, asked })).catch(
    (error: unknown) => {
      throw lookupFailed(error);
    },
  );
  if (use.kind === "refused") return refuseSlowly(client.address, use.why);
  if (!ofToken.allow(use.holder.tokenId, Date.now())) {
    throw tooMany(
      `There were more than ${REQUESTS_A_MINUTE} requests by this token within a minute.`,
    );
  }
  return use.holder;
}

/** The scheme is case-insensitive; the token has no spaces. */
function bearerToken(headers: Headers): string {
  const given = headers.get("authorization");
  if (given === null) {
    throw unauthorized("Send an API token: Authorization: Bearer cwt_…", REALM);
  }
  const token = /^bearer +(\S{1,200})$/i.exec(given)?.[1];
  if (token !== undefined) return token;
  throw unauthorized(
    "The header Authorization has no API token: write it as Bearer cwt_…",
    `${REALM}, error="invalid_request"`,
  );
}

/**
 * After a few refusals, each further one to the same address is delayed longer, as with wrong passwords. A valid token is never delayed, so
 * that a script with an outdated token does not lock out others at the same address.
 */
async function refuseSlowly(address: string, why: string): Promise<never> {
  const delays = processWide("api-token-delays", signInDelays);
  const attempt = { address, email: address };
  const delay = delays.begin(attempt, Date.now());
  if (delay === undefined) throw tooMany("Too many wrong API tokens came from this address.");
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  delays.end(attempt, { outcome: "refused", now: Date.now() });
  throw unauthorized(
    `${why} Make a new one in Settings, API tokens.`,
    `${REALM}, error="invalid_token"`,
  );
}

function unauthorized(sentence: string, challenge: string): ApiProblem {
  return new ApiProblem({ status: 401, sentence, headers: { "WWW-Authenticate": challenge } });
}

function tooMany(sentence: string): ApiProblem {
  return new ApiProblem({
    ...{ status: 429, sentence: `${sentence} Wait a minute.` },
    headers: { "Retry-After": "60" },
  });
}

function lookupFailed(error: unknown): unknown {
  if (!isUnreachable(error)) return error;
  log.error("An API token could not be looked up", { error: String(error) });
  return new ApiProblem({ status: 503, sentence: noLedger(), headers: { "Retry-After": "5" } });
}
