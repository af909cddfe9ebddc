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
  /** Those of services and of all users; admins only. */
  list: accountsProcedure.query(
    ({ ctx }): Promise<readonly ApiTokenView[]> => listTokens(ctx.verb),
  ),
  mine: accountsProcedure.query(
    ({ ctx }): Promise<readonly ApiTokenView[]> => listOwnTokens(ctx.verb),
  ),
  /** A personal token for the user, or a service's token for an admin. The token itself appears only in this answer. */
  create: accountsProcedure
    .input(createTokenSchema)
    .mutation(({ ctx, input }): Promise<NewApiToken> => createToken(ctx.verb, input)),
  revoke: accountsProcedure
    .input(revokeTokenSchema)
    .mutation(({ ctx, input }): Promise<void> => revokeToken(ctx.verb, input)),
});
