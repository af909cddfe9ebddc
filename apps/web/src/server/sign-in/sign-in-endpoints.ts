import { roleSchema } from "@cloudwright/core/model/roles";
import type { Database } from "@cloudwright/store/database/database";
import type { Client } from "@cloudwright/store/operations/client";
import { admitExternalUser, recordExternalSignIn } from "@cloudwright/store/users/external-sign-in";
import { sessionProof } from "@cloudwright/store/users/session-proof";
import { redeemSignInToken, type SignedInUser } from "@cloudwright/store/users/sign-in";
import { signInWithCode } from "@cloudwright/store/users/sign-in-with-code";
import {
  recordPasswordSignIn,
  signInWithPassword,
} from "@cloudwright/store/users/sign-in-with-password";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import { environment } from "../environment.ts";
import { clientOf } from "../requests/client.ts";

const linkSchema = z.object({ token: z.string().min(1).max(200) });
const passwordSchema = z.object({
  email: z.string().min(1).max(254),
  password: z.string().min(1).max(200),
});

const codeSchema = z.object({ userId: z.string(), passwordId: z.string(), code: z.string() });

const identitySchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.optional(roleSchema),
  clusters: z.union([z.literal("all"), z.array(z.string()).readonly()]).optional(),
});

/** After this, users of the identity provider sign in again, which also rereads their groups. */
const EXTERNAL_SESSION_MS = 12 * 3_600_000;

/**
 * Starts a session with its cookie from one of: a sign-in token, which the ledger uses up; an e-mail address and password, plus the code if
 * there is an authenticator app; or an identity shown by the identity provider. The ledger checks and audits them all.
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
          const from = { db: ledger(), client };
          const answer = await signInWithPassword(from, context.body);
          const { id: userId, email } = answer.user;
          if (answer.kind === "code") {
            const step = { userId, email, passwordId: answer.passwordId };
            return context.json({ kind: "code" as const, step });
          }
          await startSession(context, answer.user, {
            client,
            onStarted: (session) => recordPasswordSignIn(from, answer, sessionProof(session)),
          });
          return context.json({ kind: "signed-in" as const });
        },
      ),
      signInByCode: createAuthEndpoint(
        "/sign-in/code",
        { method: "POST", body: codeSchema, requireHeaders: true },
        async (context) => {
          const client = clientOf(context.headers);
          const from = { db: ledger(), client };
          const { authSecret } = environment();
          const typed = { ...context.body, authSecret, now: Date.now() };
          const signedIn = await signInWithCode(from, typed);
          await startSession(context, signedIn.user, {
            client,
            onStarted: (session) => recordPasswordSignIn(from, signedIn, sessionProof(session)),
          });
          return context.json({ kind: "signed-in" as const });
        },
      ),
      signInByIdentity: createAuthEndpoint(
        "/sign-in/identity",
        { method: "POST", body: identitySchema, requireHeaders: true },
        async (context) => {
          const client = clientOf(context.headers);
          const { role, clusters, ...identity } = context.body;
          const from = { db: ledger(), client };
          const user = await admitExternalUser(from, { ...identity, role, clusters });
          await startSession(context, user, {
            client,
            endsAt: new Date(Date.now() + EXTERNAL_SESSION_MS),
            onStarted: (session) =>
              recordExternalSignIn(
                from,
                { ...user, issuer: identity.issuer },
                sessionProof(session),
              ),
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
  /** However much the session is used. */
  readonly endsAt?: Date;
  /** Records the session; if that fails, there is no session. */
  readonly onStarted?: (session: { readonly id: string; readonly token: string }) => Promise<void>;
}

async function startSession(
  context: Context,
  { id }: SignedInUser,
  { client, endsAt, onStarted }: SessionStart,
): Promise<void> {
  const { internalAdapter } = context.context;
  const user = await internalAdapter.findUserById(id);
  if (user === null) throw new Error(`The user ${id} went away while signing in.`);
  const from = {
    ipAddress: client.address,
    userAgent: client.agent,
    ...(endsAt === undefined ? {} : { endsAt }),
  };
  const session = await internalAdapter.createSession(user.id, false, from);
  try {
    await onStarted?.(session);
  } catch (error) {
    await internalAdapter.deleteSession(session.token);
    throw error;
  }
  await setSessionCookie(context, { session, user });
}
