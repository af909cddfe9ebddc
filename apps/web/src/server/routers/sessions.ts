import {
  listSessions,
  revokeAllSessions,
  revokeAllSessionsSchema,
  revokeSession,
  revokeSessionSchema,
} from "@cloudwright/store/people/sessions";
import type { SessionView } from "@cloudwright/store/views";
import { z } from "zod";
import { router, viewerProcedure } from "../trpc.ts";

const listInput = z.object({ userId: z.string().max(100).optional() });

export const sessionsRouter = router({
  /** Of everybody, or of one person; an admin's. */
  list: viewerProcedure
    .input(listInput)
    .query(({ ctx, input }): Promise<readonly SessionView[]> => listSessions(ctx.verb, input)),
  mine: viewerProcedure.query(
    ({ ctx }): Promise<readonly SessionView[]> => listSessions(ctx.verb, { userId: ctx.viewer.id }),
  ),
  revoke: viewerProcedure
    .input(revokeSessionSchema)
    .mutation(({ ctx, input }): Promise<void> => revokeSession(ctx.verb, input)),
  /** One's own but for the one that asks, unless `userId` names another person. */
  revokeAll: viewerProcedure
    .input(revokeAllSessionsSchema.partial({ userId: true }))
    .mutation(
      ({ ctx, input }): Promise<{ readonly ended: number }> =>
        revokeAllSessions(ctx.verb, { ...input, userId: input.userId ?? ctx.viewer.id }),
    ),
});
