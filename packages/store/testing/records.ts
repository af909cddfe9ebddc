import type { AuditEntry } from "@cloudwright/core/model/audit/audit";
import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import type { ObjectEvent } from "@cloudwright/core/model/records/object-event";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { RunEnd, RunStart, Step } from "@cloudwright/core/model/run";
import { uuidV7 } from "@cloudwright/core/model/values/ids";
import type { StoreLog } from "../src/database/log.ts";

export const CLUSTER = "6f3c2a10-0000-4000-8000-000000000001";

export function newId(atMs: number = Date.now()): string {
  return uuidV7(atMs, Math.random);
}

export function runStart(over: Partial<RunStart> = {}): RunStart {
  const startedAt = over.startedAt ?? Date.now();
  return {
    type: "run.start",
    id: newId(startedAt),
    cluster: CLUSTER,
    instance: "ctl-1",
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
    trigger: { kind: "change", what: "added" },
    attempt: 1,
    startedAt,
    queuedMs: 3,
    dryRun: false,
    changes: [
      {
        kind: "node.initialise",
        system: "cluster",
        target: { kind: "Node", name: "w-1" },
        before: null,
        after: { providerID: "sandbox://z1/w-1" },
        reason: { code: "Uninitialised" },
      },
    ],
    notTaken: [],
    ...over,
  };
}

export function runEnd(over: Partial<RunEnd> = {}): RunEnd {
  return {
    ...runStart({ startedAt: over.startedAt ?? Date.now() }),
    durationMs: 42,
    planMs: 1,
    outcome: "changed",
    reason: { code: "Initialised" },
    next: { kind: "settled", reason: { code: "Initialised" } },
    applied: 1,
    steps: [step("cloud"), step("kube"), step("kube")],
    ...over,
    type: "run.end",
  };
}

export function step(system: Step["system"]): Step {
  return {
    phase: system === "cloud" ? "observe" : "apply",
    system,
    operation: system === "cloud" ? "GET /v1/instances" : "PATCH nodes",
    target: "w-1",
    offsetMs: 1,
    durationMs: 12,
    limiterWaitMs: 0,
    status: 200,
    requestId: "req-1",
    attempt: 1,
    sharedBy: 1,
  };
}

export function objectState(over: Partial<ObjectState> = {}): ObjectState {
  const at = over.at ?? Date.now();
  const name = over.name ?? "w-1";
  return {
    type: "state",
    cluster: CLUSTER,
    controller: "cloud-node-controller",
    name,
    uid: `uid-${name}`,
    at,
    state: "ok",
    reason: { code: "Initialised" },
    since: at,
    failures: 0,
    drift: "inStep",
    runId: newId(at),
    outcome: "changed",
    ...over,
  };
}

export function nodePart(over: {
  readonly createdAt: number;
  readonly zone?: string;
  readonly instanceType?: string;
  readonly providerID?: string;
  readonly address?: string;
}): NonNullable<ObjectState["node"]> {
  return {
    createdAt: over.createdAt,
    ready: "True",
    taints: [],
    facts: {
      addresses: over.address === undefined ? [] : [{ type: "InternalIP", address: over.address }],
      labels: {},
      asOf: over.createdAt,
      ...(over.zone === undefined ? {} : { zone: over.zone }),
      ...(over.instanceType === undefined ? {} : { instanceType: over.instanceType }),
      ...(over.providerID === undefined ? {} : { providerID: over.providerID }),
    },
  };
}

export function auditEntry(over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    type: "audit",
    id: newId(),
    cluster: CLUSTER,
    at: Date.now(),
    actor: { kind: "controller", id: "ctl-1", name: "ctl-1" },
    action: "node.initialise",
    object: { kind: "Node", name: "w-1" },
    why: "The instance was found.",
    result: "applied",
    before: null,
    after: { providerID: "sandbox://z1/w-1" },
    ...over,
  };
}

export function objectEvent(over: Partial<ObjectEvent> = {}): ObjectEvent {
  const lastAt = over.lastAt ?? Date.now();
  return {
    type: "objectEvent",
    cluster: CLUSTER,
    uid: newId(lastAt),
    object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
    eventType: "Normal",
    reason: "RegisteredNode",
    message: "Node w-1 event: Registered Node w-1 in Controller",
    component: "node-controller",
    count: 1,
    firstAt: lastAt,
    lastAt,
    ...over,
  };
}

export function heartbeat(over: Partial<Heartbeat> = {}): Heartbeat {
  return {
    type: "heartbeat",
    cluster: CLUSTER,
    clusterName: "prod-eu",
    provider: "sandbox",
    instance: "ctl-1",
    version: "0.1.0",
    at: Date.now(),
    leader: true,
    leaseTransitions: 4,
    watchSilentMs: 120,
    dryRun: false,
    controllers: [{ name: "cloud-node-controller", queueDepth: 0, oldestMs: 0 }],
    spoolBytes: 0,
    ...over,
  };
}

/** Returns a log that keeps its lines. */
export function memoryLog(): StoreLog & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (fields: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { lines, info: keep, warn: keep, error: keep };
}
