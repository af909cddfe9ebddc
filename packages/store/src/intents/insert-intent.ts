import { type Action, actionOf, briefOf, namedLoops } from "@cloudwright/core/model/actions/action";
import {
  APPROVAL_MS,
  type Intent,
  type IntentKind,
  lifetimeMs,
  roleFor,
} from "@cloudwright/core/model/actions/intent";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { partKindsOf } from "@cloudwright/core/model/kinds/kinds";
import { t } from "@cloudwright/core/model/language/text";
import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import type { Role } from "@cloudwright/core/model/roles";
import { type Json, sameJson } from "@cloudwright/core/model/values/json";
import type { Database } from "../database/database.ts";
import type { Prisma, Intent as StoredIntent } from "../generated/client.ts";
import { OperationError, requireNoProblem } from "../operations/errors.ts";
import type { Attempt, Done, VerbContext } from "../operations/verb.ts";
import { waitsForConsent } from "../queries/adoption/takeover.ts";
import { unknownCluster } from "../users/cluster-access.ts";
import { problemOfAction } from "./action-checks.ts";
import { needsApproval } from "./approval-policy.ts";
import { requireOffered } from "./leader-offers.ts";
import { lockActor, requireNoRival, requireRate } from "./room.ts";
import { parseIntent, toIntent } from "./stored-intent.ts";

/** A parsed request with its action in full. */
export interface FullRequest {
  readonly id: string;
  readonly cluster: string;
  readonly kind: IntentKind;
  readonly action: Action;
  readonly controller: ControllerName;
  readonly object: ObjectRef;
  readonly why: string;
  readonly planHash?: string | undefined;
  readonly confirmation?: string | undefined;
  /** For requests that are made together: the same for all of them. */
  readonly batch?: string | undefined;
}

export interface Inserting {
  readonly request: FullRequest;
  readonly isKnown: boolean;
}

/**
 * Writes the intent; a second request with the same id has no effect. Throws OperationError Invalid, NotFound, Limit and Conflict, none of
 * them after a statement of the transaction has failed.
 */
export async function insertOnce(
  tx: Prisma.TransactionClient,
  context: VerbContext,
  { request, isKnown }: Inserting,
): Promise<Done<Intent>> {
  if (!isKnown) throw new OperationError("NotFound", unknownCluster);
  await lockActor(tx, context.actor.id);
  const before = await tx.intent.findUnique({ where: { id: request.id } });
  if (before !== null) return { result: sameAsBefore(before, context, request) };
  return insertIntent(tx, context, request);
}

export async function isKnownCluster(
  { db }: { readonly db: Database },
  id: string,
): Promise<boolean> {
  return (await db.prisma.cluster.count({ where: { id } })) > 0;
}

async function insertIntent(
  tx: Prisma.TransactionClient,
  context: VerbContext,
  request: FullRequest,
): Promise<Done<Intent>> {
  const now = Date.now();
  requireNoProblem("Invalid", () => problemOfAction(request, now) ?? problemOfBatch(request));
  const room = { ...request, actorId: context.actor.id };
  await requireRate(tx, room, now);
  await requireNoRival(tx, room, now);
  await requireBatchable(tx, request);
  await requireOffered(tx, request);
  const waits = await needsApproval(tx, request);
  const result = toIntent(await createRow(tx, { context, request, now, waits }));
  const { kind, controller, action, planHash, batch } = request;
  const ofBatch = batch === undefined ? {} : { batch };
  const after = {
    ...auditFields({ kind, controller, action }),
    planHash: planHash ?? null,
    ...(result.state === "awaiting-approval" ? { state: result.state } : {}),
    ...ofBatch,
  };
  return { result, audit: { before: null, after } };
}

interface NewIntent {
  readonly context: VerbContext;
  readonly request: FullRequest;
  readonly now: number;
  /** Whether it waits for another user's approval, before any controller can see it. */
  readonly waits: boolean;
}

async function createRow(
  tx: Prisma.TransactionClient,
  { context, request, now, waits }: NewIntent,
) {
  const [row] = await tx.intent.createManyAndReturn({
    // A simultaneous request of another user with the same id must not fail the rest of the batch.
    skipDuplicates: true,
    data: [
      {
        id: request.id,
        clusterId: request.cluster,
        kind: request.kind,
        action: request.action,
        controller: request.controller,
        objectKind: request.object.kind,
        objectNamespace: request.object.namespace ?? null,
        objectName: request.object.name,
        objectUid: request.object.uid ?? null,
        why: request.why,
        actorId: context.actor.id,
        actorName: context.actor.name,
        state: waits ? "awaiting-approval" : "requested",
        requestedAt: new Date(now),
        expiresAt: new Date(now + (waits ? APPROVAL_MS : lifetimeMs(request.kind))),
        updatedAt: new Date(now),
        planHash: request.planHash ?? null,
        batchId: request.batch ?? null,
      },
    ],
  });
  if (row === undefined) throw usedAlready();
  return row;
}

/** Returns the audit entry of the request. The list of a guard release can be long; for a refused one its length is enough. */
export function attemptOf(request: FullRequest, isKnown: boolean): Attempt {
  const { id, cluster, kind, controller, action, object, why } = request;
  return {
    action: "intent.request",
    needs: roleNeeded(request),
    object,
    why,
    intentId: id,
    wanted: {
      ...auditFields({ kind, controller, action: briefOf(action) }),
      ...(isKnown ? {} : { cluster }),
    },
    // An entry under a made-up cluster would start a chain of its own.
    ...(isKnown ? { cluster } : {}),
  };
}

/**
 * Audit entries call the action `wish`, as the column does: stored entries are chained by their hashes and keep the name, and one query
 * reads the old and the new ones.
 */
function auditFields({
  kind,
  controller,
  action,
}: Pick<FullRequest, "kind" | "controller"> & { readonly action: Json }) {
  return { kind, controller, wish: action };
}

function sameAsBefore(row: StoredIntent, { actor }: VerbContext, request: FullRequest): Intent {
  const before = parseIntent(row);
  const isSame =
    before !== undefined &&
    row.actorId === actor.id &&
    sameJson(identityOf(before), identityOf({ ...before, ...request, object: request.object }));
  if (isSame) return before;
  throw usedAlready();
}

/** Returns what identifies a request. Which loops are not OK may have changed between two identical requests. */
function identityOf({ cluster, kind, object, action }: Intent): Json {
  const { namespace = null, name } = object;
  const requested: Json = namedLoops(action) === undefined ? action : { kind: action.kind };
  return { cluster, kind, object: { kind: object.kind, namespace, name }, action: requested };
}

function usedAlready(): OperationError {
  return new OperationError(
    "Conflict",
    () => t`This request id was used for another action: request it again.`,
  );
}

interface BatchRequest {
  readonly cluster: string;
  readonly kind: IntentKind;
  readonly action: Action;
  readonly object: ObjectRef;
  readonly batch?: string | undefined;
}

/**
 * Returns the lowest role that may make the request. A batch has a higher limit than single requests, so its previews need the role of the
 * action: a viewer keeps the limit of single requests.
 */
function roleNeeded({ kind, action, batch }: BatchRequest): Role {
  return roleFor(batch === undefined ? kind : action.kind);
}

/** Returns why it cannot be part of a batch, as a sentence; undefined when it can, or belongs to none. */
function problemOfBatch({ action, batch }: BatchRequest): string | undefined {
  return batch === undefined || actionOf(action.kind).inBulk !== undefined
    ? undefined
    : t`Actions of the kind ${action.kind} cannot be requested in batches: request it separately.`;
}

/**
 * Throws OperationError Conflict for a request of a batch whose object the ledger does not know, or that does not wait for the consent it
 * would give: a batch cannot request more than there is.
 */
async function requireBatchable(
  tx: Prisma.TransactionClient,
  { cluster, object, action, batch }: BatchRequest,
): Promise<void> {
  if (batch === undefined) return;
  const onlyWaiting = actionOf(action.kind).inBulk?.onlyWaiting === true;
  const name = objectName(object);
  const kinds = [object.kind, ...partKindsOf(object.kind).map((kind) => kind.name)];
  const condition = onlyWaiting ? waitsForConsent() : { state: { not: "gone" } };
  const found = await tx.anyState.count({
    where: { clusterId: cluster, name, AND: [{ kind: { in: kinds } }, condition] },
  });
  if (found > 0) return;
  throw new OperationError("Conflict", () =>
    onlyWaiting
      ? t`${object.kind} ${name} is no longer waiting for consent: check what is waiting now.`
      : t`${object.kind} ${name} no longer exists: reload the list.`,
  );
}
