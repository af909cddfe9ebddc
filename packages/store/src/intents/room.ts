import { ACTION_KINDS, type ActionKind, actionOf } from "@cloudwright/core/model/action";
import { BATCH_MOST, type IntentKind } from "@cloudwright/core/model/intent";
import type { Prisma } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { lockUntilEnd, type RecentRequests, recentRequests } from "../sql/intents.ts";
import { isoTime } from "./action-checks.ts";

/** Most intents that a user may ask for within a minute, without those of batches; previews are counted by themselves. */
export const INTENTS_A_MINUTE = 60;
/** Most batches of at most `BATCH_MOST` intents that a user may ask for within a minute, besides; previews likewise. */
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

/** Until the transaction ends this user's other requests wait, so that two at once cannot both be the last allowed. */
export async function lockActor(tx: Prisma.TransactionClient, actorId: string): Promise<void> {
  await lockUntilEnd(tx, `intent actor ${actorId}`);
}

/** Throws OperationError Limit when this user has asked for too many within a minute, or for too many in this batch. */
export async function requireRate(
  tx: Prisma.TransactionClient,
  request: RoomRequest,
  now: number,
): Promise<void> {
  const problem = problemOfRate(
    request,
    await recentRequests(tx, { ...request, since: now - MINUTE_MS }),
  );
  if (problem !== undefined) throw new OperationError("Limit", problem);
}

function problemOfRate(
  { kind, batch }: RoomRequest,
  requested: RecentRequests,
): string | undefined {
  const what = kind === "preview" ? "previews" : "actions";
  if (batch === undefined) {
    return requested.single < INTENTS_A_MINUTE
      ? undefined
      : `You have asked for ${requested.single} ${what} within a minute, which is the maximum: wait a moment.`;
  }
  if (requested.in_batch >= BATCH_MOST) {
    return `This batch has ${requested.in_batch} ${what}, which is the maximum: start another one.`;
  }
  return requested.other_batches < BATCHES_A_MINUTE
    ? undefined
    : `You have asked for ${requested.other_batches} batches of ${what} within a minute, which is the maximum: wait a moment.`;
}

/**
 * Throws OperationError Conflict, naming the other one, when an open intent changes the same thing of the same object:
 * the plan that was shown for this one cannot hold once the other is done.
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
      // An overdue one that no leader has ended yet stands in nobody's way.
      OR: [
        { state: "running" },
        {
          state: { in: ["requested", "claimed"] },
          expiresAt: { gt: new Date(now) },
        },
        // A hold must not wait until somebody approves something else: whoever does sees the plan as it is then.
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
    `${open.actorName} asked for a ${open.kind} of ${name} at ${isoTime(open.requestedAt.getTime())}, and it is ${open.state.replace("-", " ")} still (action ${open.id}): wait until it has ended.`,
  );
}

/** The kinds that exclude this one while they are open; undefined where none does. */
function rivalsOf(kind: IntentKind): readonly ActionKind[] | undefined {
  const group = kind === "preview" ? undefined : actionOf(kind).group;
  return group === undefined
    ? undefined
    : ACTION_KINDS.filter((other) => actionOf(other).group === group);
}
