import type { EnglishSnapshot, IncidentSnapshot } from "@cloudwright/store/views/incidents";

export const AT = Date.UTC(2026, 10, 27, 14, 51, 2);
const QUOTA = { code: "Other", name: "QuotaReached", text: "no machine is left" } as const;
const NODE = { kind: "Node", name: "w-9" };

const FRAME = {
  ...{ takenAt: AT, cluster: { id: "c-1", name: "prod-eu", provider: "aws" } },
  controller: { identity: "ctl-2_aa", version: "0.1.0", heardAt: AT - 1_000 },
  about: { kind: "object", of: "Node", name: "w-9" },
  state: "stuck",
  ...{ object: NODE, since: AT - 60_000, partsLeftOut: 0 },
  differences: [{ name: "health", desired: "TCP :31443", actual: "TCP :31400" }],
  entries: [
    {
      actor: { kind: "person", id: "u-1", name: "ana" },
      ...{ seq: 7, at: AT },
      ...{ action: "intent.request", why: "disk check", result: "applied" },
    },
  ],
} as const;

const PLAN = {
  outcome: "failed",
  ...{ runId: "r-1", dryRun: false, startedAt: AT, durationMs: 250 },
  ...{ changesLeftOut: 2, callsLeftOut: 1 },
  calls: [
    {
      ...{ phase: "observe", system: "cloud", operation: "GET /v1/instances", target: "w-9" },
      ...{ offsetMs: -5, durationMs: 100, attempt: 2, status: 500, error: "quota" },
    },
  ],
} as const;

const RUN = {
  outcome: "failed",
  ...{ id: "r-1", controller: "cloud-node-controller", at: AT },
  ...{ dryRun: false, durationMs: 250, changes: 1, calls: 3, folded: 1 },
} as const;

const FIELDS = [{ path: "providerID", before: undefined, after: "x://w-9" }] as const;

/** Returns a snapshot of a node, as it is stored. */
export function frozenSnapshot(over: Partial<IncidentSnapshot> = {}): IncidentSnapshot {
  return {
    ...FRAME,
    ...{ version: 2, subject: { kind: "object", object: NODE }, reason: QUOTA },
    facts: { zone: "zone-a" },
    parts: [
      {
        ...{ name: "cloud-node-controller", state: "stuck", reason: QUOTA },
        ...{ since: AT, failures: 3, drift: "notChecked" },
      },
    ],
    timeline: [{ step: "found", state: "failed", tries: 9, startedAt: AT, reason: QUOTA }],
    plan: {
      ...PLAN,
      changes: [
        {
          ...{ title: { kind: "node.hold", target: NODE }, reason: QUOTA },
          ...{ fate: "not applied", fields: FIELDS },
        },
      ],
      notTaken: [{ step: "node.delete", reason: QUOTA }],
    },
    runs: [{ ...RUN, trigger: { kind: "period" } }],
    ...over,
  };
}

/** The same as earlier releases stored it. */
export function englishSnapshot(over: Partial<EnglishSnapshot> = {}): EnglishSnapshot {
  return {
    ...FRAME,
    ...{ version: 1, subject: "Node w-9" },
    sentence: "Node w-9 has been stuck for 60 s: no machine is left.",
    facts: [{ label: "Zone", text: "zone-a" }],
    parts: [
      {
        ...{ name: "Node initialisation", state: "stuck", cause: "No machine is left" },
        ...{ advice: "Ask for more.", since: AT, failures: 3, drift: "notChecked" },
      },
    ],
    timeline: [{ step: "found", state: "failed", tries: 9, startedAt: AT, cause: "Not found" }],
    plan: {
      ...PLAN,
      changes: [{ sentence: "Initialise node w-9", fate: "not applied", fields: FIELDS }],
      notTaken: ["Delete node w-9"],
    },
    runs: [{ ...RUN, trigger: "periodic check" }],
    ...over,
  };
}
