import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Presence } from "@cloudwright/core/model/records/presence-record";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { Foundation } from "../foundation.ts";

export interface PresenceContext {
  readonly foundation: Foundation;
  readonly clusterUid: string;
}

export interface PresentObjects {
  readonly name: ControllerName;
  /** Of the objects. */
  readonly kind: string;
  readonly synced: Promise<void>;
  readonly present: () => readonly string[];
}

/** What went while no controller ran is in the ledger as it was last seen: it learns from this what is still there. */
export function tellPresent(
  parts: PresenceContext & { readonly recorder: Recorder },
  { name, kind, synced, present }: PresentObjects,
): void {
  const tell = () =>
    parts.recorder.append(presenceOf(parts, { controller: name, kind, names: present() }));
  // Caches that are never warm belong to a process that ends.
  synced.then(tell, () => undefined);
}

/** All objects of a kind that a controller finds when it begins to work. */
export function presenceOf(
  { foundation, clusterUid }: PresenceContext,
  found: Pick<Presence, "controller" | "kind" | "names">,
): Presence {
  return {
    type: "presence",
    cluster: clusterUid,
    at: foundation.clock.now(),
    ...found,
    ...(foundation.flags["dry-run"] ? { dryRun: true } : {}),
  };
}
