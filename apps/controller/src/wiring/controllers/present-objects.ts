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
  /** The objects' kind. */
  readonly kind: string;
  readonly synced: Promise<void>;
  readonly present: () => readonly string[];
}

/** Reports to the ledger which objects still exist: those deleted while no controller ran are in it as last seen. */
export function reportPresent(
  context: PresenceContext & { readonly recorder: Recorder },
  { name, kind, synced, present }: PresentObjects,
): void {
  const report = () =>
    context.recorder.append(presenceOf(context, { controller: name, kind, names: present() }));
  // Caches only fail to sync if the process is ending.
  synced.then(report, () => undefined);
}

/** Returns all objects of a kind that exist when a controller starts. */
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
