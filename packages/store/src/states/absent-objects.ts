import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import type { Presence } from "@cloudwright/core/model/records/presence-record";
import { mergeState } from "./object-projection.ts";

/** What is known of an object that went while nobody looked: by the word of the controller that misses it, since then. */
export function withoutTrace(object: KnownObject, presence: Presence): KnownObject {
  const { cluster, controller, kind, at, dryRun } = presence;
  const state: ObjectState = {
    type: "state",
    cluster,
    controller,
    kind,
    name: object.name,
    uid: object.uid,
    at,
    state: "gone",
    reason: { code: "ObjectGone" },
    since: at,
    failures: 0,
    drift: "notChecked",
    runId: object.parts[controller]?.runId ?? "",
    outcome: "unchanged",
    ...(dryRun === true ? { dryRun } : {}),
  };
  return mergeState(object, state);
}
