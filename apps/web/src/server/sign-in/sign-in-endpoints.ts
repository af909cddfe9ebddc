import type { Database } from "@cloudwright/store/database/database";
import type { Client } from "@cloudwright/store/operations/client";
import { sessionProof } from "@cloudwright/store/users/session-proof";
import { redeemSignInToken, type SignedInUser } from "@cloudwright/store/users/sign-in";
import {
  recordPasswordSignIn,
  signInWithPassword,
} from "@cloudwright/store/users/sign-in-with-password";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import { clientOf } from "../requests/client.ts";

const linkSchema = z.object({ token: z.string().min(1).max(200) });
const passwordSchema = z.object({
  email: z.string().min(1).max(254),
  password: z.string().min(1).max(200),
});

/**
 * Turns a sign-in token, which the ledger uses up, or an e-mail address with its password into a session with its cookie.
 * The ledger checks and audits both.
 */
export function signIn(ledger: () => Database) {
  return {
    id: "sign-in",
    endpoints: {
      redeemSignInLink: createAuthEndpoint(
        "/sign-in/link",
        { method: "POST", body: linkSchema, requireHeaders: true },
        async (context) => {
          const client = clientOf(context.headers);
          const user = await redeemSignInToken(ledger(), context.body.token, client);
          await startSession(context, user, { client });
          return context.json({ userId: user.id });
        },
      ),
      signInByPassword: createAuthEndpoint(
        "/sign-in/password",
        { method: "POST", body: passwordSchema, requireHeaders: true },
        async (context) => {
          const client = clientOf(context.headers);
          const user = await signInWithPassword({ db: ledger(), client }, context.body);
          await startSession(context, user, {
            client,
            onStarted: (session) =>
              recordPasswordSignIn({ db: ledger(), client }, user, sessionProof(session)),
          });
          return context.json({ userId: user.id });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

type Context = Parameters<typeof setSessionCookie>[0];

interface SessionStart {
  readonly client: Client;
  /** What must be written down of it; where that fails there is no session. */
  readonly onStarted?: (session: { readonly id: string; readonly token: string }) => Promise<void>;
}

async function startSession(
  context: Context,
  { id }: SignedInUser,
  { client, onStarted }: SessionStart,
): Promise<void> {
  const { internalAdapter } = context.context;
  const user = await internalAdapter.findUserById(id);
  if (user === null) throw new Error(`The user ${id} went away while signing in.`);
  const from = { ipAddress: client.address, userAgent: client.agent };
  const session = await internalAdapter.createSession(user.id, false, from);
  try {
    await onStarted?.(session);
  } catch (error) {
    await internalAdapter.deleteSession(session.token);
    throw error;
  }
  await setSessionCookie(context, { session, user });
}
