import { type Intent, roleFor } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import type { Prisma, User } from "../generated/client.ts";
import { requireNoProblem } from "../operations/errors.ts";
import { clusterAccessOf, mayReach } from "../users/cluster-access.ts";
import { isDisabled, roleOf } from "../users/user.ts";

/**
 * Requires that the requester could still request the action when it is approved, as two people answer for it: the requester may have been
 * disabled since, or lost the role or the cluster. Throws OperationError Precondition.
 */
export async function requireRequester(
  tx: Prisma.TransactionClient,
  { actorId, intent }: { readonly actorId: string; readonly intent: Intent },
): Promise<void> {
  const user = await tx.user.findUnique({ where: { id: actorId } });
  requireNoProblem("Precondition", () =>
    user === null || mayAsk(user, intent)
      ? undefined
      : t`${intent.actor} may no longer request this: decline it, and request it yourself if it is still needed.`,
  );
}

function mayAsk(user: User, { kind, cluster }: Intent): boolean {
  const isAllowed = roleIncludes(roleOf(user), roleFor(kind)) && !isDisabled(user);
  return isAllowed && mayReach(clusterAccessOf(user), cluster);
}
