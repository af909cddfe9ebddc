import { describe, expect, it } from "vitest";
import { controlsStatusSchema, type GuardStatus, heldCount } from "../controls.ts";
import { runEndSchema, stepSchema, triggerSchema } from "../run.ts";
import { loadBalancerDetailSchema, memberVerdictSchema } from "./load-balancer-record.ts";
import { objectStateSchema, timelineStepSchema } from "./node-record.ts";
import { heartbeatSchema, ledgerRecordSchema } from "./record.ts";
import { nodeRoutesDetailSchema, routeTableDetailSchema } from "./route-record.ts";
import { volumeDetailSchema } from "./volume-record.ts";

const START = {
  type: "run.start",
  id: "r-1",
  cluster: "c-1",
  instance: "ctl-1",
  controller: "cloud-node-controller",
  object: { kind: "Node", name: "w-9", uid: "u-9" },
  trigger: { kind: "start" },
  attempt: 1,
  startedAt: 1_000,
  queuedMs: 0,
  dryRun: false,
  changes: [],
  notTaken: [],
} as const;

const STEP = {
  phase: "observe",
  system: "cloud",
  operation: "GET /v1/instances",
  target: "w-9",
  offsetMs: -3,
  durationMs: 12,
} as const;

const END = {
  ...START,
  type: "run.end",
  durationMs: 20,
  planMs: 1,
  outcome: "unchanged",
  reason: { code: "InStep" },
  next: { kind: "settled", reason: { code: "InStep" } },
  applied: 0,
  steps: [STEP],
} as const;

const STATE = {
  type: "state",
  cluster: "c-1",
  controller: "cloud-node-controller",
  name: "w-9",
  uid: "u-9",
  at: 1_000,
  state: "ok",
  reason: { code: "InStep" },
  since: 900,
  failures: 0,
  drift: "inStep",
  runId: "r-1",
  outcome: "unchanged",
} as const;

/** A heartbeat of the first release: everything that came later is optional. */
const HEARTBEAT = {
  type: "heartbeat",
  cluster: "c-1",
  clusterName: "prod",
  provider: "sandbox",
  instance: "ctl-1",
  version: "0.1.0",
  at: 1_000,
  leader: true,
  watchSilentMs: 0,
  dryRun: false,
  controllers: [{ name: "cloud-node-controller", queueDepth: 0, oldestMs: 0 }],
  spoolBytes: 0,
} as const;

const OTHERS = [
  {
    type: "presence",
    cluster: "c-1",
    controller: "cloud-node-controller",
    kind: "Node",
    at: 1,
    names: ["w-9"],
  },
  {
    type: "gap",
    id: "g-1",
    cluster: "c-1",
    instance: "ctl-1",
    from: 1,
    to: 2,
    records: 3,
    calls: 4,
  },
  { type: "settings", cluster: "c-1", instance: "ctl-1", at: 1, flags: [] },
  {
    type: "budget",
    cluster: "c-1",
    instance: "ctl-1",
    provider: "sandbox",
    dryRun: false,
    at: 1,
    coveredMs: 60_000,
    cloud: { operations: [], priorities: [], lookups: [] },
    kube: { operations: [] },
    controllers: [],
    waiters: [],
  },
] as const;

describe("a record of the ledger", () => {
  it.each(
    [START, END, STATE, HEARTBEAT, ...OTHERS].map((record) => [record.type, record] as const),
  )("%s is read back as it was written, with what it leaves out", (type, record) => {
    const read = ledgerRecordSchema.parse(JSON.parse(JSON.stringify(record)));
    expect(read).toMatchObject({ ...record, type });
  });

  it("of a type that this release does not know is ignored", () => {
    expect(ledgerRecordSchema.safeParse({ ...START, type: "run.middle" }).success).toBe(false);
  });

  it.each<[what: string, object]>([
    ["a start without its changes", { ...START, changes: undefined }],
    ["an end with an outcome that there is not", { ...END, outcome: "perfect" }],
    ["an end without why", { ...END, reason: undefined }],
    ["a run by no controller", { ...START, controller: "Not A Controller" }],
    ["a state that there is not", { ...STATE, state: "happy" }],
    ["a state without its run", { ...STATE, runId: undefined }],
    ["a heartbeat of nobody", { ...HEARTBEAT, instance: undefined }],
  ])("%s is refused", (_what, record) => {
    expect(ledgerRecordSchema.safeParse(record).success).toBe(false);
  });

  it("may be of a third-party controller and kind, with a reason of its own", () => {
    const record = {
      ...STATE,
      controller: "namespace-label-controller",
      kind: "Namespace",
      reason: { code: "LabelRefused", message: "the label is reserved" },
    };
    expect(objectStateSchema.parse(record)).toMatchObject({
      kind: "Namespace",
      reason: { code: "Other", name: "LabelRefused", text: "the label is reserved" },
    });
  });
});

describe("a call of a run", () => {
  it("counts as the first attempt, unshared and unlimited if an earlier release does not say", () => {
    expect(stepSchema.parse(STEP)).toEqual({
      ...STEP,
      limiterWaitMs: 0,
      attempt: 1,
      sharedBy: 1,
    });
  });

  it("may have started before its run, if the lookup is shared", () => {
    expect(runEndSchema.parse(END).steps[0]?.offsetMs).toBe(-3);
  });

  it.each([{ phase: "plan" }, { system: "database" }, { durationMs: "12" }])(
    "with %j is refused: a plan calls nobody",
    (wrong) => {
      expect(stepSchema.safeParse({ ...STEP, ...wrong }).success).toBe(false);
    },
  );
});

describe("the trigger of a run", () => {
  it.each([
    { kind: "change", what: "labels" },
    { kind: "period" },
    { kind: "retry" },
    { kind: "start" },
    { kind: "intent", intentId: "i-1", actor: "ana" },
  ])("is read: %j", (trigger) => {
    expect(triggerSchema.parse(trigger)).toEqual(trigger);
  });

  it.each([
    { kind: "change" },
    { kind: "intent", intentId: "i-1" },
    { kind: "intent", actor: "a" },
  ])("is refused without the cause or the user: %j", (trigger) => {
    expect(triggerSchema.safeParse(trigger).success).toBe(false);
  });
});

describe("a node's initialisation", () => {
  it("counts no attempts for a step that an earlier release does not count", () => {
    expect(timelineStepSchema.parse({ step: "found", state: "pending" })).toEqual({
      step: "found",
      state: "pending",
      tries: 0,
    });
  });

  it("has only the steps that its page explains", () => {
    expect(timelineStepSchema.safeParse({ step: "rebooted", state: "done" }).success).toBe(false);
  });
});

describe("the content of a heartbeat", () => {
  const controls = { pauses: [], guard: undefined };

  it("has, for a paused controller, by whom, why and until when", () => {
    const paused = (by: object) => ({
      ...HEARTBEAT,
      controllers: [{ ...HEARTBEAT.controllers[0], paused: by }],
    });
    const whole = { by: "ana", why: "INC-88", until: 5 };
    expect(heartbeatSchema.parse(paused(whole)).controllers[0]?.paused).toEqual(whole);
    expect(heartbeatSchema.safeParse(paused({ by: "ana", until: 5 })).success).toBe(false);
  });

  it("has, for a controller that does not run, one of the causes that the page words", () => {
    const idle = (cause: string) =>
      heartbeatSchema.safeParse({
        ...HEARTBEAT,
        idle: [{ name: "node-route-controller", cause }],
      }).success;
    expect(idle("flagOff")).toBe(true);
    expect(idle("lazy")).toBe(false);
  });

  it("has a control record without a guard if that is off", () => {
    expect(controlsStatusSchema.parse(controls).guard).toBeUndefined();
    expect(heartbeatSchema.parse({ ...HEARTBEAT, controls }).controls?.pauses).toEqual([]);
  });
});

describe("the deletions that wait for an admin", () => {
  const held = [{ name: "w-1", uid: "u-1", since: 1, because: "no such machine" }];
  const guard: GuardStatus = { limit: 3, windowMs: 600_000, deleted: 3, held };

  it("are as many as are listed, or as many as the count says if the list is cut", () => {
    expect(heldCount(guard)).toBe(1);
    expect(heldCount({ ...guard, heldCount: 740 })).toBe(740);
  });
});

describe("the detail of an object", () => {
  it("has members that may all be behind it if an earlier release gave no reason", () => {
    expect(memberVerdictSchema.parse({ node: "w-1", verdict: "in" })).toEqual({
      node: "w-1",
      verdict: "in",
      why: "eligible",
    });
    expect(memberVerdictSchema.safeParse({ node: "w-1", verdict: "maybe" }).success).toBe(false);
  });

  it.each<[string, { readonly safeParse: (value: unknown) => { success: boolean } }, object]>([
    [
      "a load balancer that is not there yet",
      loadBalancerDetailSchema,
      {
        kind: "balancer",
        aspects: [{ name: "port 80" }],
        ignored: [],
        members: [],
        membersIn: 0,
        membersWanted: 2,
        published: [{}],
        ports: [],
      },
    ],
    [
      "a route that is missing",
      nodeRoutesDetailSchema,
      {
        kind: "routes",
        cells: [
          {
            cidr: "10.0.3.0/24",
            family: "IPv4",
            verdict: "missing",
            wantedNextHop: "sandbox://w-9",
          },
        ],
      },
    ],
    [
      "a table of a cloud that does not say how much it holds",
      routeTableDetailSchema,
      {
        kind: "table",
        tableName: "main",
        used: 3,
        ours: 2,
        missing: 0,
        foreignCount: 1,
        foreign: [
          { id: "r-1", name: "vpn", destination: "10.9.0.0/16", blackhole: false, inRange: false },
        ],
        asOf: 1,
      },
    ],
    [
      "a volume without a claim",
      volumeDetailSchema,
      {
        kind: "volume",
        volumeId: "d-1",
        labels: { wanted: { zone: "z1" }, has: {} },
        affinity: "missing",
        sizeGiB: { volume: 10 },
      },
    ],
  ])("is read of %s, and of no other kind", (_of, schema, detail) => {
    expect(schema.safeParse(detail).success).toBe(true);
    expect(schema.safeParse({ ...detail, kind: "other" }).success).toBe(false);
  });
});
