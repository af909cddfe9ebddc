import { type Action, actionSchema } from "@cloudwright/core/model/actions/action";
import { controllersToRetry } from "@cloudwright/core/model/actions/controllers-to-retry";
import { type Intent, intentKindSchema } from "@cloudwright/core/model/actions/intent";
import { type ControllerName, isControllerName } from "@cloudwright/core/model/controller-names";
import { objectKind } from "@cloudwright/core/model/kinds/kinds";
import { t } from "@cloudwright/core/model/language/text";
import { objectName, objectRefSchema } from "@cloudwright/core/model/object-ref";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { OperationError } from "../operations/errors.ts";
import { carryOut, type VerbContext } from "../operations/verb.ts";
import { named, readExpected, readObjects } from "../sql/states.ts";
import { expectedOf } from "../states/expected-controllers.ts";
import { expectedParts, shownPart } from "../states/shown-part.ts";
import { storableText } from "../text/storable-text.ts";
import { attemptOf, type FullRequest, insertOnce, isKnownCluster } from "./insert-intent.ts";

export type IntentContext = VerbContext;

const NAME_MOST = 253;

/** As long as a DNS label, which is the API server's limit. */
const KIND_MOST = 63;

export const intentRequestSchema = z.object({
  /** Chosen by the client: a second request with the same id has no effect. */
  id: z.uuid(),
  cluster: storableText(200).min(1),
  kind: intentKindSchema,
  /** For a preview, the action whose plan is requested. May be left out when the kind says it all. */
  action: z.optional(actionSchema),
  controller: storableText(100).refine(isControllerName, "there is no such controller"),
  /** For a retry and its preview: `object` means every loop of the object that is not OK, whichever controller is named. */
  scope: z.enum(["loop", "object"]).default("loop"),
  object: z.object({
    ...objectRefSchema.shape,
    kind: storableText(KIND_MOST).min(1),
    namespace: storableText(NAME_MOST).optional(),
    name: storableText(NAME_MOST).min(1),
    uid: storableText(100).min(1).optional(),
  }),
  why: storableText(500).trim().min(1),
  planHash: storableText(200).optional(),
  /**
   * What the user typed: for an override the node's name, for a guard release the number of nodes, for an adoption or a removal the load
   * balancer's ID.
   */
  confirmation: z.string().max(NAME_MOST).optional(),
});
export type IntentRequest = z.input<typeof intentRequestSchema>;
type Parsed = z.output<typeof intentRequestSchema>;

/**
 * Writes a user's action for the leader to claim, with its audit entry in the same transaction. Throws OperationError Invalid for what is
 * not acceptable (model/actions/action.ts), NotFound for an unknown cluster, Forbidden, Limit for too many within a minute, and Conflict
 * for an id that was used for another action or while an open intent changes the same thing. A well-formed request that is refused gets its
 * own audit entry.
 */
export async function requestIntent(context: IntentContext, input: unknown): Promise<Intent> {
  const parsed = parseRequest(input);
  const [request = parsed] = await withLoops(context, [parsed]);
  const isKnown = await isKnownCluster(context, request.cluster);
  return carryOut(context, attemptOf(request, isKnown), (tx) =>
    insertOnce(tx, context, { request, isKnown }),
  );
}

/** A request with its action in full and, if it belongs to one, its batch. */
export type ParsedRequest = Parsed & { readonly action: Action; readonly batch?: string };

function parseRequest(input: unknown): ParsedRequest {
  const parsed = intentRequestSchema.safeParse(input);
  if (parsed.success) return { ...parsed.data, action: actionOfChoice(parsed.data) };
  throw invalidRequest(parsed.error);
}

/** Returns an error about the first invalid member. */
export function invalidRequest({ issues: [issue] }: z.ZodError): OperationError {
  const where = issue?.path.join(".") ?? "";
  return new OperationError(
    "Invalid",
    () => t`The request's ${where} is not valid: ${issue?.message ?? ""}.`,
  );
}

/**
 * Names the loops of retries from here on, so that preview, confirmation, leader and audit mean the same ones. All requests must be about
 * one cluster.
 */
export async function withLoops(
  { db }: IntentContext,
  requests: readonly ParsedRequest[],
): Promise<readonly FullRequest[]> {
  const whole = requests.filter(
    ({ action, scope }) => action.kind === "retry" && scope === "object",
  );
  const retried = await retriedControllers(db, whole);
  return requests.map((request) => {
    const { action } = request;
    if (action.kind !== "retry") return request;
    const chosen = request.scope === "object" ? retried.get(request) : action.controllers;
    const [first] = chosen ?? [];
    if (chosen === undefined || first === undefined) return request;
    return { ...request, controller: first, action: { kind: "retry", controllers: [...chosen] } };
  });
}

/** Returns the requested action. Throws OperationError Invalid when the kind does not say it all. */
export function actionOfChoice({ kind, action }: Pick<Parsed, "kind" | "action">): Action {
  if (action !== undefined) return action;
  const plain = actionSchema.safeParse({ kind: kind === "preview" ? "retry" : kind });
  if (plain.success) return plain.data;
  throw new OperationError(
    "Invalid",
    () => t`The request's action is missing: ${kind} needs more than its name.`,
  );
}

/**
 * Returns the controllers whose loops a retry of each object is for, by what each last reported or has not reported yet, including what the
 * lists show. Nothing for an object that the ledger does not know.
 */
async function retriedControllers(
  { pool }: Pick<Database, "pool">,
  requests: readonly ParsedRequest[],
): Promise<ReadonlyMap<ParsedRequest, readonly ControllerName[]>> {
  const [first] = requests;
  if (first === undefined) return new Map();
  const { cluster } = first;
  const all = await readExpected(pool, cluster);
  const found = new Map<string, readonly ControllerName[]>();
  for (const kind of new Set(requests.map(({ object }) => object.kind))) {
    const names = requests.flatMap(({ object }) =>
      object.kind === kind ? objectName(object) : [],
    );
    const which = named(objectKind(kind).table, { kinds: [kind], names });
    for (const projection of await readObjects(pool, cluster, which)) {
      const expected = expectedOf(all, projection);
      const shown = shownPart(projection, expected);
      const parts = [
        ...expectedParts(projection, expected),
        ...(shown === undefined ? [] : [shown]),
      ];
      found.set(`${kind} ${projection.name}`, controllersToRetry(parts));
    }
  }
  return new Map(
    requests.map((request) => {
      const { object } = request;
      return [request, found.get(`${object.kind} ${objectName(object)}`) ?? []];
    }),
  );
}
