import { type Action, actionOf } from "@cloudwright/core/model/action";
import { type IntentKind, roleFor } from "@cloudwright/core/model/intent";
import { partKindsOf } from "@cloudwright/core/model/kinds/kinds";
import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import type { Role } from "@cloudwright/core/model/roles";
import type { Prisma } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { waitsForConsent } from "../queries/adoption/waiting-adoptions.ts";

export interface BatchRequest {
  readonly cluster: string;
  readonly kind: IntentKind;
  readonly wish: Action;
  readonly object: ObjectRef;
  readonly batch?: string | undefined;
}

/**
 * The least role that may ask for it. A batch has more room than what is requested one by one, so its previews need the role
 * of the action: a viewer's room is what it is without batches.
 */
export function roleNeeded({ kind, wish: action, batch }: BatchRequest): Role {
  return roleFor(batch === undefined ? kind : action.kind);
}

/** Why it cannot be one of a batch, as a sentence; undefined when it can, or is none. */
export function problemOfBatch({ wish: action, batch }: BatchRequest): string | undefined {
  return batch === undefined || actionOf(action.kind).isBatched === true
    ? undefined
    : `Only adoptions are requested in batches: ask for this ${action.kind} by itself.`;
}

/**
 * Throws OperationError Conflict for one of a batch whose object does not wait for consent by what the ledger knows: a batch
 * cannot ask for more than there is to adopt.
 */
export async function requireBatchable(
  tx: Prisma.TransactionClient,
  { cluster, object, batch }: BatchRequest,
): Promise<void> {
  if (batch === undefined) return;
  const name = objectName(object);
  const kinds = [object.kind, ...partKindsOf(object.kind).map((kind) => kind.name)];
  const waiting = await tx.anyState.count({
    where: { clusterId: cluster, name, AND: [{ kind: { in: kinds } }, waitsForConsent()] },
  });
  if (waiting > 0) return;
  throw new OperationError(
    "Conflict",
    `${object.kind} ${name} waits for no consent any more: look at what waits now.`,
  );
}
