import { type Intent, roleFor } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import type { Prisma, User } from "../generated/client.ts";
import { requireNoProblem } from "../operations/errors.ts";
import { clusterAccessOf, mayReach } from "../users/cluster-access.ts";
import { isDisabled, roleOf } from "../users/user.ts";

/**
 * An action that two people answer for needs both when it is approved: whoever asked for it may have been disabled since, or have
 * lost the role or the cluster. Throws OperationError Precondition.
 */
export async function requireRequester(
  tx: Prisma.TransactionClient,
  { actorId, intent }: { readonly actorId: string; readonly intent: Intent },
): Promise<void> {
  const user = await tx.user.findUnique({ where: { id: actorId } });
  requireNoProblem("Precondition", () =>
    user === null || mayAsk(user, intent)
      ? undefined
      : t`${intent.actor} may no longer ask for it: decline it, and request it yourself if it is still needed.`,
  );
}

function mayAsk(user: User, { kind, cluster }: Intent): boolean {
  const isAllowed = roleIncludes(roleOf(user), roleFor(kind)) && !isDisabled(user);
  return isAllowed && mayReach(clusterAccessOf(user), cluster);
}
