import type { IntentKind } from "@cloudwright/core/model/intent";
import { OperationError } from "../errors.ts";
import type { Prisma } from "../generated/client.ts";
import { isoTime } from "./wish-checks.ts";

/** Most intents that a person may ask for within a minute; previews are counted by themselves. */
export const INTENTS_A_MINUTE = 60;
const MINUTE_MS = 60_000;

export interface RoomRequest {
  readonly cluster: string;
  readonly kind: IntentKind;
  readonly object: {
    readonly kind: string;
    readonly namespace?: string | undefined;
    readonly name: string;
  };
  readonly actorId: string;
}

/** Until the transaction ends this person's other requests wait, so that two at once cannot both be the last allowed. */
export async function lockActor(tx: Prisma.TransactionClient, actorId: string): Promise<void> {
  await lock(tx, `intent actor ${actorId}`);
}

/** Throws OperationError Limit when this person has asked for too many within a minute. */
export async function requireRate(
  tx: Prisma.TransactionClient,
  { kind, actorId }: RoomRequest,
  now: number,
): Promise<void> {
  const asked = await tx.intent.count({
    where: {
      actorId,
      requestedAt: { gt: new Date(now - MINUTE_MS) },
      kind: kind === "preview" ? "preview" : { not: "preview" },
    },
  });
  if (asked < INTENTS_A_MINUTE) return;
  throw new OperationError(
    "Limit",
    `You have asked for ${asked} ${kind === "preview" ? "previews" : "actions"} within a minute, the most there may be: wait a moment.`,
  );
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
  const rivals = RIVALS[request.kind];
  if (rivals === undefined) return;
  const { kind, namespace = null, name } = request.object;
  await lock(tx, `intent object ${request.cluster}/${kind}/${namespace ?? ""}/${name}`);
  const open = await tx.intent.findFirst({
    where: {
      clusterId: request.cluster,
      objectKind: kind,
      objectNamespace: namespace,
      objectName: name,
      kind: { in: [...rivals] },
      // An overdue one that no leader has ended yet stands in nobody's way.
      OR: [
        { state: "running" },
        {
          state: { in: ["awaiting-approval", "requested", "claimed"] },
          expiresAt: { gt: new Date(now) },
        },
      ],
    },
    orderBy: { requestedAt: "asc" },
  });
  if (open === null) return;
  throw new OperationError(
    "Conflict",
    `${open.actorName} asked for a ${open.kind} of ${name} at ${isoTime(open.requestedAt.getTime())}, and it is ${open.state} still (action ${open.id}): wait for its end.`,
  );
}

const OBJECT_KINDS = ["hold", "release", "override", "reensure", "adopt", "remove-orphan"] as const;
const PAUSE_KINDS = ["pause", "resume"] as const;

const RIVALS: Partial<Record<IntentKind, readonly IntentKind[]>> = {
  hold: OBJECT_KINDS,
  release: OBJECT_KINDS,
  override: OBJECT_KINDS,
  reensure: OBJECT_KINDS,
  adopt: OBJECT_KINDS,
  "remove-orphan": OBJECT_KINDS,
  pause: PAUSE_KINDS,
  resume: PAUSE_KINDS,
  "release-guard": ["release-guard"],
};

async function lock(tx: Prisma.TransactionClient, what: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${what}, 0))`;
}
