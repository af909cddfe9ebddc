import type { AuditEntry } from "../model/audit.ts";
import { uuidV7 } from "../model/ids.ts";
import type { Intent, IntentState } from "../model/intent.ts";
import type { Random } from "../model/time.ts";
import type { IntentReport } from "./ports.ts";

export interface AuditedIntent {
  readonly intent: Intent;
  /** What came of it; absent when it was claimed. */
  readonly end: IntentReport | undefined;
  readonly at: number;
  readonly random: Random;
  readonly identity: string;
}

/** The audit entry of the leader's claim of an intent, or of its end. */
export function auditOfIntent({ intent, end, at, random, identity }: AuditedIntent): AuditEntry {
  const state = end?.state ?? "claimed";
  return {
    type: "audit",
    id: uuidV7(at, random),
    cluster: intent.cluster,
    at,
    actor: { kind: "controller", id: identity, name: intent.controller },
    action: end === undefined ? "intent.claim" : "intent.end",
    object: intent.object,
    why: end?.result ?? intent.why,
    result: RESULTS[state] ?? "applied",
    before: { state: end === undefined ? intent.state : "running" },
    after: { state, kind: intent.kind, askedBy: intent.actor },
    intentId: intent.id,
    ...(end?.runId === undefined ? {} : { runId: end.runId }),
  };
}

const RESULTS: Partial<Record<IntentState, AuditEntry["result"]>> = {
  failed: "failed",
  rejected: "refused",
};
