import { eventText } from "../../kube/events/event-object.ts";
import type { EventRecorder } from "../../kube/events/events.ts";
import type { AuditEntry } from "../../model/audit/audit.ts";
import type { EventReason } from "../../model/events.ts";
import type { Clock, Random } from "../../model/time.ts";
import { uuidV7 } from "../../model/values/ids.ts";
import type { Recorder } from "../ports.ts";
import { CONTROL_RECORD_NAME } from "./control-store.ts";

export interface ControlDiaryOptions {
  readonly recorder: Recorder;
  readonly events: Pick<EventRecorder, "event">;
  readonly clock: Clock;
  readonly random: Random;
  readonly identity: { readonly cluster: string; readonly instance: string };
  readonly namespace: string;
  /** A dry run makes no changes that could be recorded. */
  readonly dryRun: boolean;
}

/** Records changes of the control record in the audit, and as Events on the ConfigMap. */
export interface ControlDiary {
  audit(entry: ControlEntry): void;
  event(reason: EventReason, message: string): void;
}

export type ControlEntry = Pick<
  AuditEntry,
  "action" | "object" | "why" | "result" | "before" | "after"
> & {
  /** The controller in whose name the change is made. */
  readonly controller: string;
  readonly intentId?: string | undefined;
};

export function createControlDiary(options: ControlDiaryOptions): ControlDiary {
  const { recorder, events, clock, random, identity, namespace, dryRun } = options;
  if (dryRun) return { audit: () => undefined, event: () => undefined };
  const target = { apiVersion: "v1", kind: "ConfigMap", namespace, name: CONTROL_RECORD_NAME };
  return {
    audit: ({ controller, intentId, ...entry }) => {
      const at = clock.now();
      recorder.append({
        ...entry,
        type: "audit",
        id: uuidV7(at, random),
        cluster: identity.cluster,
        at,
        actor: { kind: "controller", id: identity.instance, name: controller },
        ...(intentId === undefined ? {} : { intentId }),
      });
    },
    event: (reason, message) => events.event(target, eventText(reason, message)),
  };
}
