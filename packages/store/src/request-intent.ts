import { INTENT_LIFETIME_MS, type Intent, intentKindSchema } from "@cloudwright/core/model/intent";
import { type Json, sameJson } from "@cloudwright/core/model/json";
import { objectRefSchema } from "@cloudwright/core/model/object-ref";
import { controllerNameSchema } from "@cloudwright/core/model/run";
import { type Wish, wishSchema } from "@cloudwright/core/model/wish";
import { z } from "zod";
import { OperationError } from "./errors.ts";
import { Prisma, type Intent as StoredIntent } from "./generated/client.ts";
import { problemOfBatch, requireBatchable, roleNeeded } from "./intents/batches.ts";
import { retriedControllers } from "./intents/retried-controllers.ts";
import { lockActor, requireNoRival, requireRate } from "./intents/room.ts";
import { problemOfWish } from "./intents/wish-checks.ts";
import { toIntent } from "./queries/intents.ts";
import { storableText } from "./storable-text.ts";
import { type Attempt, carryOut, type Done, type VerbContext } from "./verb.ts";

export type IntentContext = VerbContext;

const NAME_MOST = 253;

export const intentRequestSchema = z.object({
  /** Chosen by the client: asking twice with the same id is asking once. */
  id: z.uuid(),
  cluster: storableText(200).min(1),
  kind: intentKindSchema,
  /** Of a preview, the wish whose plan is asked for. May be left out where the kind says it all. */
  wish: wishSchema.optional(),
  controller: controllerNameSchema,
  /** Of a retry and its preview: `object` is for every loop of the object that is not OK, whichever controller is named. */
  scope: z.enum(["loop", "object"]).default("loop"),
  object: objectRefSchema.extend({
    namespace: storableText(NAME_MOST).optional(),
    name: storableText(NAME_MOST).min(1),
    uid: storableText(100).min(1).optional(),
  }),
  why: storableText(500).trim().min(1),
  planHash: storableText(200).optional(),
  /**
   * What the person typed: of an override the node's name, of a guard's release the number of nodes, of an adoption or a
   * removal the balancer's id.
   */
  confirmation: z.string().max(NAME_MOST).optional(),
  /** Of an adoption, or its preview, that is requested together with others: the same id for all of them. */
  batch: z.uuid().optional(),
});
export type IntentRequest = z.input<typeof intentRequestSchema>;
type Parsed = z.output<typeof intentRequestSchema>;
type FullRequest = Parsed & { readonly wish: Wish };

/**
 * Writes a person's wish down for the leader to claim, with its audit entry in the same transaction. Throws OperationError
 * Invalid for what is not acceptable (model/wish.ts), NotFound for an unknown cluster, Forbidden, Limit for too many within
 * a minute, and Conflict for an id that was used for another wish or while an open intent changes the same thing. What is
 * well-formed and refused has an audit entry of its own. Several adoptions may be requested as one batch: each is an intent of
 * its own, and the batch has a bound of its own (intents/room.ts).
 */
export async function requestIntent(context: IntentContext, input: unknown): Promise<Intent> {
  const request = await withLoops(context, parseRequest(input));
  const isKnown = (await context.db.prisma.cluster.count({ where: { id: request.cluster } })) > 0;
  return carryOut(context, attemptOf(request, isKnown), async (tx) => {
    if (!isKnown) throw new OperationError("NotFound", "No controller has reported this cluster.");
    await lockActor(tx, context.actor.id);
    const before = await tx.intent.findUnique({ where: { id: request.id } });
    if (before !== null) return { result: sameAsBefore(before, context, request) };
    return insertIntent(tx, context, request);
  });
}

function parseRequest(input: unknown): FullRequest {
  const parsed = intentRequestSchema.safeParse(input);
  if (parsed.success) return { ...parsed.data, wish: wishOf(parsed.data) };
  const issue = parsed.error.issues[0];
  const where = issue?.path.join(".") ?? "";
  throw new OperationError(
    "Invalid",
    `The request's ${where} is not valid: ${issue?.message ?? ""}.`,
  );
}

/** A retry names its loops from here on, so that preview, confirmation, leader and audit mean the same ones. */
async function withLoops({ db }: IntentContext, request: FullRequest): Promise<FullRequest> {
  const { wish, scope } = request;
  if (wish.kind !== "retry") return request;
  const chosen = scope === "object" ? await retriedControllers(db, request) : wish.controllers;
  const [first] = chosen ?? [];
  if (chosen === undefined || first === undefined) return request;
  return { ...request, controller: first, wish: { kind: "retry", controllers: [...chosen] } };
}

function wishOf({ kind, wish }: Parsed): Wish {
  if (wish !== undefined) return wish;
  if (kind === "preview" || kind === "retry") return { kind: "retry" };
  if (kind === "release" || kind === "resume" || kind === "reensure") return { kind };
  throw new OperationError(
    "Invalid",
    `The request's wish is missing: a ${kind} does not say it all.`,
  );
}

async function insertIntent(
  tx: Prisma.TransactionClient,
  context: IntentContext,
  request: FullRequest,
): Promise<Done<Intent>> {
  const now = Date.now();
  const problem = problemOfWish(request, now) ?? problemOfBatch(request);
  if (problem !== undefined) throw new OperationError("Invalid", problem);
  const room = { ...request, actorId: context.actor.id };
  await requireRate(tx, room, now);
  await requireNoRival(tx, room, now);
  await requireBatchable(tx, request);
  const result = toIntent(await createRow(tx, { context, request, now }));
  const { kind, controller, wish, planHash, batch } = request;
  const ofBatch = batch === undefined ? {} : { batch };
  const after = { kind, controller, wish, planHash: planHash ?? null, ...ofBatch };
  return { result, audit: { before: null, after } };
}

interface NewIntent {
  readonly context: IntentContext;
  readonly request: FullRequest;
  readonly now: number;
}

async function createRow(tx: Prisma.TransactionClient, { context, request, now }: NewIntent) {
  try {
    return await tx.intent.create({
      data: {
        id: request.id,
        clusterId: request.cluster,
        kind: request.kind,
        wish: request.wish,
        controller: request.controller,
        objectKind: request.object.kind,
        objectNamespace: request.object.namespace ?? null,
        objectName: request.object.name,
        objectUid: request.object.uid ?? null,
        why: request.why,
        actorId: context.actor.id,
        actorName: context.actor.name,
        state: "requested",
        requestedAt: new Date(now),
        expiresAt: new Date(now + INTENT_LIFETIME_MS[request.kind]),
        updatedAt: new Date(now),
        planHash: request.planHash ?? null,
        batchId: request.batch ?? null,
      },
    });
  } catch (error) {
    // Another person's request with the same id, at the same time.
    if (isDuplicateKey(error)) throw usedAlready();
    throw error;
  }
}

/** The list of a guard's release can be long; of a refused one its length is enough. */
function attemptOf(request: FullRequest, isKnown: boolean): Attempt {
  const { id, cluster, kind, controller, wish, object, why } = request;
  const brief = wish.kind === "release-guard" ? { ...wish, nodes: wish.nodes.length } : wish;
  return {
    action: "intent.request",
    needs: roleNeeded(request),
    object,
    why,
    intentId: id,
    wanted: { kind, controller, wish: brief, ...(isKnown ? {} : { cluster }) },
    // An entry under a made-up cluster would begin a chain of its own.
    ...(isKnown ? { cluster } : {}),
  };
}

function sameAsBefore(row: StoredIntent, { actor }: IntentContext, request: FullRequest): Intent {
  const before = toIntent(row);
  const isSame =
    row.actorId === actor.id &&
    sameJson(identityOf(before), identityOf({ ...before, ...request, object: request.object }));
  if (isSame) return before;
  throw usedAlready();
}

/** What tells one request from another. Which loops are not OK may have changed between the first and the second. */
function identityOf({ cluster, kind, object, wish }: Intent): Json {
  const { namespace = null, name } = object;
  const asked: Json = wish.kind === "retry" ? { kind: wish.kind } : wish;
  return { cluster, kind, object: { kind: object.kind, namespace, name }, wish: asked };
}

function usedAlready(): OperationError {
  return new OperationError("Conflict", "This request id was used for another action: ask again.");
}

function isDuplicateKey(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
