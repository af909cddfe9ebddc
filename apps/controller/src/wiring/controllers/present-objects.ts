import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Presence } from "@cloudwright/core/model/records/presence-record";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { ProcessContext } from "../process-context.ts";

export interface PresenceContext {
  readonly processContext: ProcessContext;
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
export function reportPresent(
  context: PresenceContext & { readonly recorder: Recorder },
  { name, kind, synced, present }: PresentObjects,
): void {
  const report = () =>
    context.recorder.append(presenceOf(context, { controller: name, kind, names: present() }));
  // Caches that are never warm belong to a process that ends.
  synced.then(report, () => undefined);
}

/** All objects of a kind that a controller finds when it begins to work. */
export function presenceOf(
  { processContext, clusterUid }: PresenceContext,
  found: Pick<Presence, "controller" | "kind" | "names">,
): Presence {
  return {
    type: "presence",
    cluster: clusterUid,
    at: processContext.clock.now(),
    ...found,
    ...(processContext.flags["dry-run"] ? { dryRun: true } : {}),
  };
}
