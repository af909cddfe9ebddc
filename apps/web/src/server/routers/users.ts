import { t } from "@cloudwright/core/model/language/text";
import { storableText } from "@cloudwright/store/text/storable-text";
import {
  beginAuthenticator,
  beginAuthenticatorSchema,
  type ConfirmedAuthenticator,
  confirmAuthenticator,
  confirmAuthenticatorSchema,
  type NewAuthenticator,
  removeAuthenticator,
  removeAuthenticatorSchema,
} from "@cloudwright/store/users/authenticator";
import {
  listSessions,
  revokeAllSessions,
  revokeAllSessionsSchema,
  revokeSession,
  revokeSessionSchema,
} from "@cloudwright/store/users/sessions";
import { setPassword, setPasswordSchema } from "@cloudwright/store/users/set-password";
import { type NewSignInToken, signInLinkOf } from "@cloudwright/store/users/sign-in-token";
import {
  changeRole,
  changeRoleSchema,
  createUser,
  createUserSchema,
  disableUser,
  disableUserSchema,
  enableUser,
  listAdmins,
  listUsers,
  ownUser,
  setClusters,
  setClustersSchema,
} from "@cloudwright/store/users/users";
import type { SessionView, UserView } from "@cloudwright/store/views/views";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { environment } from "../environment.ts";
import { rateLimiter } from "../requests/rate-limit.ts";
import { accountsProcedure, router } from "../trpc.ts";

export interface UserAnswer {
  readonly person: UserView;
  /** Signs the user in, once. It is never shown again. */
  readonly signInLink: { readonly url: string; readonly expiresAt: number } | undefined;
}

/** A user who changes their own credentials must enter the current password or a code; the limit keeps those from being guessed. */
const ofOwnWayIn = rateLimiter({ attempts: 10, withinMs: 15 * 60_000 });

function requirePatience(userId: string): void {
  if (!ofOwnWayIn.allow(userId, Date.now())) throw tooOften();
}

/** Adds the secret that seals the secrets of authenticator apps. */
function withSeal<Verb>(verb: Verb) {
  return { ...verb, authSecret: environment().authSecret, now: Date.now() };
}

export const usersRouter = router({
  list: accountsProcedure.query(({ ctx }): Promise<readonly UserView[]> => listUsers(ctx.verb)),
  /** The signed-in user, and how they sign in. */
  me: accountsProcedure.query(({ ctx }): Promise<UserView> => ownUser(ctx.verb)),
  /** The admins to ask for what the user may not do. */
  admins: accountsProcedure.query(({ ctx }): Promise<readonly string[]> => listAdmins(ctx.ledger)),
  create: accountsProcedure
    .input(createUserSchema)
    .mutation(
      async ({ ctx, input }): Promise<UserAnswer> =>
        answerOf(await createUser(ctx.verb, input), ctx.headers),
    ),
  changeRole: accountsProcedure
    .input(changeRoleSchema)
    .mutation(({ ctx, input }): Promise<UserView> => changeRole(ctx.verb, input)),
  setClusters: accountsProcedure
    .input(setClustersSchema)
    .mutation(({ ctx, input }): Promise<UserView> => setClusters(ctx.verb, input)),
  disable: accountsProcedure
    .input(disableUserSchema)
    .mutation(({ ctx, input }): Promise<UserView> => disableUser(ctx.verb, input)),
  enable: accountsProcedure
    .input(disableUserSchema)
    .mutation(({ ctx, input }): Promise<UserView> => enableUser(ctx.verb, input)),
  /** The user's own, which needs `current`, or for an admin anybody's; without a password, it makes a link instead. */
  setPassword: accountsProcedure
    .input(setPasswordSchema)
    .mutation(async ({ ctx, input }): Promise<UserAnswer> => {
      if (input.id === ctx.viewer.id) requirePatience(ctx.viewer.id);
      return answerOf(await setPassword(ctx.verb, input), ctx.headers);
    }),
  /** The user's own; requires the password. */
  beginAuthenticator: accountsProcedure
    .input(beginAuthenticatorSchema)
    .mutation(({ ctx, input }): Promise<NewAuthenticator> => {
      requirePatience(ctx.viewer.id);
      return beginAuthenticator(withSeal(ctx.verb), input);
    }),
  confirmAuthenticator: accountsProcedure
    .input(confirmAuthenticatorSchema)
    .mutation(({ ctx, input }): Promise<ConfirmedAuthenticator> => {
      requirePatience(ctx.viewer.id);
      return confirmAuthenticator(withSeal(ctx.verb), input);
    }),
  /** The user's own, with the password or a code; for an admin, anybody's. */
  removeAuthenticator: accountsProcedure
    .input(removeAuthenticatorSchema)
    .mutation(({ ctx, input }): Promise<UserView> => {
      if (input.id === ctx.viewer.id) requirePatience(ctx.viewer.id);
      return removeAuthenticator(withSeal(ctx.verb), input);
    }),
});

function answerOf(
  { person: user, signIn }: { readonly person: UserView; readonly signIn?: NewSignInToken },
  headers: Headers,
): UserAnswer {
  if (signIn === undefined) return { person: user, signInLink: undefined };
  const url = signInLinkOf(dashboardOrigin(headers), signIn.token);
  return { person: user, signInLink: { url, expiresAt: signIn.expiresAt } };
}

/** Without a public URL, the dashboard's origin is that of the admin's own page, which was checked before. */
function dashboardOrigin(headers: Headers): string {
  return environment().publicOrigin ?? headers.get("origin") ?? "";
}

function tooOften(): TRPCError {
  return new TRPCError({
    code: "TOO_MANY_REQUESTS",
    message: t`You have tried to change how you sign in too often: wait 15 minutes.`,
  });
}

const listInput = z.object({ userId: storableText(100).optional() });

export const sessionsRouter = router({
  /** Those of all users, or of one; admins only. */
  list: accountsProcedure
    .input(listInput)
    .query(({ ctx, input }): Promise<readonly SessionView[]> => listSessions(ctx.verb, input)),
  mine: accountsProcedure.query(
    ({ ctx }): Promise<readonly SessionView[]> => listSessions(ctx.verb, { userId: ctx.viewer.id }),
  ),
  revoke: accountsProcedure
    .input(revokeSessionSchema)
    .mutation(({ ctx, input }): Promise<void> => revokeSession(ctx.verb, input)),
  /** The user's own sessions except the current one, unless `userId` names another user. */
  revokeAll: accountsProcedure
    .input(revokeAllSessionsSchema.partial({ userId: true }))
    .mutation(
      ({ ctx, input }): Promise<{ readonly ended: number }> =>
        revokeAllSessions(ctx.verb, { ...input, userId: input.userId ?? ctx.viewer.id }),
    ),
});
