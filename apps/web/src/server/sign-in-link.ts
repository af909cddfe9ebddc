import type { Database } from "@cloudwright/store/database";
import { redeemSignInToken } from "@cloudwright/store/sign-in";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

const inputSchema = z.object({ token: z.string().min(1).max(200) });

/** Turns a sign-in token, which the ledger uses up and audits, into a session with its cookie. */
export function signInLink(ledger: () => Database) {
  return {
    id: "sign-in-link",
    endpoints: {
      redeemSignInLink: createAuthEndpoint(
        "/sign-in/link",
        { method: "POST", body: inputSchema, requireHeaders: true },
        async (context) => {
          const { id } = await redeemSignInToken(ledger(), context.body.token);
          const user = await context.context.internalAdapter.findUserById(id);
          if (user === null) throw new Error(`The user ${id} went away while signing in.`);
          const session = await context.context.internalAdapter.createSession(user.id);
          await setSessionCookie(context, { session, user });
          return context.json({ userId: user.id });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
