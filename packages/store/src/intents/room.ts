import {
  ACTION_KINDS,
  type ActionKind,
  actionOf,
  titleOf,
} from "@cloudwright/core/model/actions/action";
import { BATCH_MOST, type IntentKind } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { Prisma, Intent as StoredIntent } from "../generated/client.ts";
import { OperationError, requireNoProblem } from "../operations/errors.ts";
import { lockUntilEnd, type RecentRequests, recentRequests } from "../sql/intents.ts";
import { isoTime } from "./action-checks.ts";
import { parseIntent } from "./stored-intent.ts";

/** Most intents that a user may request within a minute, not counting batches; previews are counted separately. */
export const INTENTS_A_MINUTE = 60;
/** Most batches of at most `BATCH_MOST` intents that a user may request within a minute, in addition; previews are counted separately. */
export const BATCHES_A_MINUTE = 10;
const MINUTE_MS = 60_000;

export interface RoomRequest {
  readonly id: string;
  readonly cluster: string;
  readonly kind: IntentKind;
  readonly object: {
    readonly kind: string;
    readonly namespace?: string | undefined;
    readonly name: string;
  };
  readonly actorId: string;
  readonly batch?: string | undefined;
}

/** Holds back this user's other requests until the transaction ends, so that two at once cannot both be the last one allowed. */
export async function lockActor(tx: Prisma.TransactionClient, actorId: string): Promise<void> {
  await lockUntilEnd(tx, `intent actor ${actorId}`);
}

/** Throws OperationError Limit when this user has requested too many within a minute, or too many in this batch. */
export async function requireRate(
  tx: Prisma.TransactionClient,
  request: RoomRequest,
  now: number,
): Promise<void> {
  const requested = await recentRequests(tx, { ...request, since: now - MINUTE_MS });
  requireNoProblem("Limit", () => problemOfRate(request, requested));
}

function problemOfRate(
  { kind, batch }: RoomRequest,
  requested: RecentRequests,
): string | undefined {
  const isPreview = kind === "preview";
  if (batch === undefined) return problemOfSingle(isPreview, requested.single);
  return problemOfFull(isPreview, requested.in_batch) ?? problemOfBatches(isPreview, requested);
}

function problemOfSingle(isPreview: boolean, count: number): string | undefined {
  if (count < INTENTS_A_MINUTE) return undefined;
  return isPreview
    ? t`You have requested ${count} previews within a minute, which is the maximum: wait a moment.`
    : t`You have requested ${count} actions within a minute, which is the maximum: wait a moment.`;
}

function problemOfFull(isPreview: boolean, count: number): string | undefined {
  if (count < BATCH_MOST) return undefined;
  return isPreview
    ? t`This batch has ${count} previews, which is the maximum: start another one.`
    : t`This batch has ${count} actions, which is the maximum: start another one.`;
}

function problemOfBatches(
  isPreview: boolean,
  { other_batches: count }: RecentRequests,
): string | undefined {
  if (count < BATCHES_A_MINUTE) return undefined;
  return isPreview
    ? t`You have requested ${count} batches of previews within a minute, which is the maximum: wait a moment.`
    : t`You have requested ${count} batches of actions within a minute, which is the maximum: wait a moment.`;
}

/**
 * Throws OperationError Conflict, naming the other intent, when an open intent changes the same thing of the same object: the plan that was
 * shown for this one cannot hold once the other is done.
 */
export async function requireNoRival(
  tx: Prisma.TransactionClient,
  request: RoomRequest,
  now: number,
): Promise<void> {
  const rivals = rivalsOf(request.kind);
  if (rivals === undefined) return;
  const { kind, namespace = null, name } = request.object;
  await lockUntilEnd(tx, `intent object ${request.cluster}/${kind}/${namespace ?? ""}/${name}`);
  const open = await tx.intent.findFirst({
    where: {
      clusterId: request.cluster,
      objectKind: kind,
      objectNamespace: namespace,
      objectName: name,
      id: { not: request.id },
      kind: { in: [...rivals] },
      // An overdue intent that no leader has ended yet does not conflict.
      OR: [
        { state: "running" },
        {
          state: { in: ["requested", "claimed"] },
          expiresAt: { gt: new Date(now) },
        },
        // A hold must not wait for the approval of another action: the approver sees the plan as it is by then.
        {
          ...{ state: "awaiting-approval", kind: request.kind },
          expiresAt: { gt: new Date(now) },
        },
      ],
    },
    orderBy: { requestedAt: "asc" },
  });
  if (open === null) return;
  throw new OperationError(
    "Conflict",
    () =>
      t`${open.actorName} requested “${titleOfRow(open)}” at ${isoTime(open.requestedAt.getTime())}, and it has not ended yet (action ${open.id}): wait until it has.`,
  );
}

/** Falls back to the kind for an action that only a newer release knows. */
function titleOfRow(row: StoredIntent): string {
  const action = parseIntent(row)?.action;
  return action === undefined ? row.kind : titleOf(action, row.objectName);
}

/** Returns the kinds that exclude this one while they are open; undefined when there are none. */
function rivalsOf(kind: IntentKind): readonly ActionKind[] | undefined {
  const group = kind === "preview" ? undefined : actionOf(kind).group;
  return group === undefined
    ? undefined
    : ACTION_KINDS.filter((other) => actionOf(other).group === group);
}
