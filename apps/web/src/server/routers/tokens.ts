import {
  createToken,
  createTokenSchema,
  listOwnTokens,
  listTokens,
  type NewApiToken,
  revokeToken,
  revokeTokenSchema,
} from "@cloudwright/store/users/api-tokens";
import type { ApiTokenView } from "@cloudwright/store/views/api-tokens";
import { accountsProcedure, router } from "../trpc.ts";

export const tokensRouter = router({
  /** Of services and of everybody; an admin's. */
  list: accountsProcedure.query(
    ({ ctx }): Promise<readonly ApiTokenView[]> => listTokens(ctx.verb),
  ),
  mine: accountsProcedure.query(
    ({ ctx }): Promise<readonly ApiTokenView[]> => listOwnTokens(ctx.verb),
  ),
  /** A personal one for oneself, or for an admin a service's. The token itself is in this answer and nowhere else. */
  create: accountsProcedure
    .input(createTokenSchema)
    .mutation(({ ctx, input }): Promise<NewApiToken> => createToken(ctx.verb, input)),
  revoke: accountsProcedure
    .input(revokeTokenSchema)
    .mutation(({ ctx, input }): Promise<void> => revokeToken(ctx.verb, input)),
});
