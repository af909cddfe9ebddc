import {
  changeRole,
  changeRoleSchema,
  createPerson,
  createPersonSchema,
  disablePerson,
  disablePersonSchema,
  enablePerson,
  listAdmins,
  listPeople,
} from "@cloudwright/store/people/people";
import { setClusters, setClustersSchema } from "@cloudwright/store/people/set-clusters";
import { setPassword, setPasswordSchema } from "@cloudwright/store/people/set-password";
import { type NewSignInToken, signInLinkOf } from "@cloudwright/store/people/sign-in-token";
import type { PersonView } from "@cloudwright/store/views/views";
import { TRPCError } from "@trpc/server";
import { environment } from "../environment.ts";
import { rateLimiter } from "../requests/rate-limit.ts";
import { accountsProcedure, router } from "../trpc.ts";

export interface PersonAnswer {
  readonly person: PersonView;
  /** Signs the person in, once. It is never shown again. */
  readonly signInLink: { readonly url: string; readonly expiresAt: number } | undefined;
}

/** Changing one's own password asks for the one until now, which nobody should be able to try out. */
const ofOwnPassword = rateLimiter({ attempts: 10, withinMs: 15 * 60_000 });

export const peopleRouter = router({
  list: accountsProcedure.query(({ ctx }): Promise<readonly PersonView[]> => listPeople(ctx.verb)),
  /** Whom to ask for what one may not do. */
  admins: accountsProcedure.query(({ ctx }): Promise<readonly string[]> => listAdmins(ctx.ledger)),
  create: accountsProcedure
    .input(createPersonSchema)
    .mutation(
      async ({ ctx, input }): Promise<PersonAnswer> =>
        answerOf(await createPerson(ctx.verb, input), ctx.headers),
    ),
  changeRole: accountsProcedure
    .input(changeRoleSchema)
    .mutation(({ ctx, input }): Promise<PersonView> => changeRole(ctx.verb, input)),
  setClusters: accountsProcedure
    .input(setClustersSchema)
    .mutation(({ ctx, input }): Promise<PersonView> => setClusters(ctx.verb, input)),
  disable: accountsProcedure
    .input(disablePersonSchema)
    .mutation(({ ctx, input }): Promise<PersonView> => disablePerson(ctx.verb, input)),
  enable: accountsProcedure
    .input(disablePersonSchema)
    .mutation(({ ctx, input }): Promise<PersonView> => enablePerson(ctx.verb, input)),
  /** One's own with `current`, or anybody's for an admin; without a password a link instead. */
  setPassword: accountsProcedure
    .input(setPasswordSchema)
    .mutation(async ({ ctx, input }): Promise<PersonAnswer> => {
      const isOwn = input.id === ctx.viewer.id;
      if (isOwn && !ofOwnPassword.allow(ctx.viewer.id, Date.now())) throw tooOften();
      return answerOf(await setPassword(ctx.verb, input), ctx.headers);
    }),
});

function answerOf(
  { person, signIn }: { readonly person: PersonView; readonly signIn?: NewSignInToken },
  headers: Headers,
): PersonAnswer {
  if (signIn === undefined) return { person, signInLink: undefined };
  const url = signInLinkOf(dashboardOrigin(headers), signIn.token);
  return { person, signInLink: { url, expiresAt: signIn.expiresAt } };
}

/** Without a public URL the dashboard is where the admin's own page came from; it was checked before. */
function dashboardOrigin(headers: Headers): string {
  return environment().publicOrigin ?? headers.get("origin") ?? "";
}

function tooOften(): TRPCError {
  return new TRPCError({
    code: "TOO_MANY_REQUESTS",
    message: "You have tried to change your password too often: wait a quarter of an hour.",
  });
}
