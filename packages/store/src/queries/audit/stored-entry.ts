import { type Actor, actorSchema } from "@cloudwright/core/model/audit/audit";
import { orUndefined, readJson } from "../../sql/stored-json.ts";
import type { AuditRow } from "../../views/views.ts";

/** The columns of an audit entry that say who did what to which object, as the driver answers them. */
export interface StoredEntry {
  readonly id: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly action: string;
  readonly object_kind: string | null;
  readonly object_namespace: string | null;
  readonly object_name: string | null;
  readonly object_uid: string | null;
  readonly why: string;
  readonly run_id: string | null;
}

/** The same with all that only lists and checks of the whole entry read. */
export interface WholeEntry extends StoredEntry {
  /** A bigint comes as text. */
  readonly seq: string;
  readonly result: string;
  readonly intent_id: string | null;
  readonly client_address: string | null;
  readonly client_agent: string | null;
  readonly hash: string;
}

export function actorOf(row: StoredEntry): Actor {
  const actor = { kind: row.actor_kind, id: row.actor_id, name: row.actor_name };
  return readJson(actorSchema, actor, { kind: "system", id: actor.id, name: actor.name });
}

/** Undefined for what concerns no object. */
export function objectOf(row: StoredEntry): AuditRow["object"] {
  if (row.object_kind === null || row.object_name === null) return undefined;
  return {
    kind: row.object_kind,
    namespace: orUndefined(row.object_namespace),
    name: row.object_name,
    uid: orUndefined(row.object_uid),
  };
}
