import { storableText } from "@cloudwright/store/text/storable-text";
import {
  listSessions,
  revokeAllSessions,
  revokeAllSessionsSchema,
  revokeSession,
  revokeSessionSchema,
} from "@cloudwright/store/users/sessions";
import type { SessionView } from "@cloudwright/store/views/views";
import { z } from "zod";
import { accountsProcedure, router } from "../trpc.ts";

const listInput = z.object({ userId: storableText(100).optional() });

export const sessionsRouter = router({
  /** Of everybody, or of one person; an admin's. */
  list: accountsProcedure
    .input(listInput)
    .query(({ ctx, input }): Promise<readonly SessionView[]> => listSessions(ctx.verb, input)),
  mine: accountsProcedure.query(
    ({ ctx }): Promise<readonly SessionView[]> => listSessions(ctx.verb, { userId: ctx.viewer.id }),
  ),
  revoke: accountsProcedure
    .input(revokeSessionSchema)
    .mutation(({ ctx, input }): Promise<void> => revokeSession(ctx.verb, input)),
  /** One's own but for the one that asks, unless `userId` names another person. */
  revokeAll: accountsProcedure
    .input(revokeAllSessionsSchema.partial({ userId: true }))
    .mutation(
      ({ ctx, input }): Promise<{ readonly ended: number }> =>
        revokeAllSessions(ctx.verb, { ...input, userId: input.userId ?? ctx.viewer.id }),
    ),
});
