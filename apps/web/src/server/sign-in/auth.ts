import { type BetterAuthOptions, betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { nextCookies } from "better-auth/next-js";
import { environment } from "../environment.ts";
import { ledger } from "../ledger.ts";
import { processWide } from "../process-wide.ts";
import { withHashedTokens } from "./hashed-tokens.ts";
import { signIn } from "./sign-in-endpoints.ts";

const SESSION_SECONDS = 12 * 60 * 60;
const RENEW_AFTER_SECONDS = 15 * 60;

export type Auth = ReturnType<typeof createAuth>;

/**
 * Returns the session library, which handles sessions and their cookies. It is created at the first use, because a build has neither
 * database nor secret. None of its own routes is served: signing in and out go through our handlers.
 */
export function auth(): Auth {
  return processWide("auth", createAuth);
}

function createAuth() {
  const { authSecret, publicOrigin } = environment();
  const isSecure = publicOrigin?.startsWith("https:") ?? false;
  return betterAuth({
    appName: "Cloudwright",
    secret: authSecret,
    baseURL: publicOrigin ?? "http://127.0.0.1",
    database: (options: BetterAuthOptions) =>
      withHashedTokens(prismaAdapter(ledger().prisma, { provider: "postgresql" })(options)),
    telemetry: { enabled: false },
    logger: { disabled: true },
    session: {
      expiresIn: SESSION_SECONDS,
      updateAge: RENEW_AFTER_SECONDS,
      // A revoked session or a changed role must not live on in a cookie.
      cookieCache: { enabled: false },
      additionalFields: { endsAt: { type: "date", required: false, input: false } },
    },
    user: {
      additionalFields: {
        role: { type: "string", required: false, input: false },
        banned: { type: "boolean", required: false, input: false },
        restricted: { type: "boolean", required: false, input: false },
        clusters: { type: "string[]", required: false, input: false },
      },
    },
    advanced: {
      cookiePrefix: "cloudwright",
      useSecureCookies: isSecure,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", secure: isSecure },
    },
    // nextCookies must stay last: it passes the cookies that the others set to Next.
    plugins: [signIn(ledger), nextCookies()],
  });
}
