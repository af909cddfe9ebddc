import {
  type Intent,
  intentSchema,
  type ListedIntent,
  type UnreadableIntent,
} from "@cloudwright/core/model/actions/intent";
import { type ObjectRef, objectRefSchema } from "@cloudwright/core/model/object-ref";
import type { Intent as StoredIntent } from "../generated/client.ts";
import { readJson } from "../sql/stored-json.ts";

/** Throws ZodError for a row that neither this release nor an older one has written. */
export function toIntent(row: StoredIntent): Intent {
  return intentSchema.parse(fieldsOf(row));
}

/** Returns undefined for a row of a newer release that this one cannot read. */
export function parseIntent(row: StoredIntent): Intent | undefined {
  return readJson(intentSchema, fieldsOf(row), undefined);
}

/** Returns the intent for lists, even one that this release cannot read: it must not make the whole list fail. */
export function listedIntent(row: StoredIntent): ListedIntent {
  return parseIntent(row) ?? unreadable(row);
}

function unreadable(row: StoredIntent): UnreadableIntent {
  const { id, cluster, kind, controller, state, object, ...others } = fieldsOf(row);
  const { why, actor, requestedAt, expiresAt, batch, result } = others;
  return {
    unreadable: true,
    ...{ id, cluster, kind, controller, state, object },
    ...{ why, actor, requestedAt, expiresAt, batch, result },
  };
}

/** Returns the object of an intent, even of one that this release cannot read as a whole. Throws ZodError for an unknown kind of object. */
export function objectOfIntent(row: StoredIntent): ObjectRef {
  return objectRefSchema.parse(objectFields(row));
}

function objectFields(row: StoredIntent) {
  return {
    kind: row.objectKind,
    namespace: row.objectNamespace ?? undefined,
    name: row.objectName,
    uid: row.objectUid ?? undefined,
  };
}

function fieldsOf(row: StoredIntent) {
  return {
    id: row.id,
    cluster: row.clusterId,
    kind: row.kind,
    action: row.action,
    controller: row.controller,
    object: objectFields(row),
    why: row.why,
    actor: row.actorName,
    state: row.state,
    requestedAt: row.requestedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    planHash: row.planHash ?? undefined,
    decision: decisionOf(row),
    claimedBy: row.claimedBy ?? undefined,
    claimedTransition: row.claimedTransition ?? undefined,
    runIds: row.runIds,
    result: row.result ?? undefined,
    preview: row.preview ?? undefined,
    evidence: row.evidence ?? undefined,
    loops: row.loops ?? undefined,
    batch: row.batchId ?? undefined,
  };
}

function decisionOf({ decidedByName, decidedWhy, decidedAt }: StoredIntent) {
  if (decidedByName === null || decidedAt === null) return undefined;
  return { by: decidedByName, why: decidedWhy ?? "", at: decidedAt.getTime() };
}
