import { type ControlAction, GUARD_RELEASE_MS, type RequestedAction } from "../../model/action.ts";
import { type ControllerName, canonicalControllerName } from "../../model/controller-names.ts";
import type { Pause } from "../../model/controls.ts";
import { formatDuration } from "../../model/duration.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { ControlRecord } from "./control-record.ts";
import { addRelease } from "./guard-record.ts";
import { pauseOf } from "./pauses.ts";

/** An action about a controller or the guard, at a moment. */
export interface ControlWork {
  readonly requested: RequestedAction<ControlAction>;
  readonly object: ObjectRef;
  readonly nowMs: number;
}

/** The record with the wish's effect. Pure. */
export function withEffect(record: ControlRecord, work: ControlWork): ControlRecord {
  const { requested, object, nowMs } = work;
  const { wish: action, by, why, intentId } = requested;
  const others = record.pauses.filter(({ controller }) => controller !== object.name);
  switch (action.kind) {
    case "pause": {
      const controller = nameOf(object);
      const pause: Pause = { controller, by, why, at: nowMs, until: action.until, intentId };
      return { ...record, pauses: [...others, pause] };
    }
    case "resume":
      return { ...record, pauses: others };
    case "release-guard": {
      const held = new Set(record.guard.held.map(({ uid }) => uid));
      const nodes = action.nodes.filter(({ uid }) => held.has(uid));
      const release = { nodes, by, why, intentId, at: nowMs, until: nowMs + GUARD_RELEASE_MS };
      return { ...record, guard: addRelease(record.guard, release) };
    }
  }
}

/** Whether the effect is there, and by this very intent where one can tell. */
export function hasEffect(
  record: ControlRecord,
  { requested, object, nowMs }: ControlWork,
): boolean {
  const { wish: action, intentId } = requested;
  const pause = pauseOf(record.pauses, object.name, nowMs);
  switch (action.kind) {
    case "pause":
      return pause?.intentId === intentId;
    case "resume":
      return pause === undefined;
    case "release-guard":
      return record.guard.releases.some((release) => release.intentId === intentId);
  }
}

/** What the user reads once the effect was seen. */
export function effectSentence(action: ControlAction, { name }: ObjectRef): string {
  switch (action.kind) {
    case "pause":
      return `Done and confirmed: ${name} is paused until ${utc(action.until)}.`;
    case "resume":
      return `Done and confirmed: ${name} is not paused.`;
    case "release-guard":
      return `Done and confirmed: the named nodes may be deleted within ${formatDuration(GUARD_RELEASE_MS)}, each after one more check of the cloud.`;
  }
}

function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function nameOf({ name }: ObjectRef): ControllerName {
  const canonical = canonicalControllerName(name);
  if (canonical === undefined) throw new Error(`${name} is no controller.`);
  return canonical;
}
