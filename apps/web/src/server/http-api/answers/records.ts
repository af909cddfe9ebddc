import {
  intentSchema,
  listedIntentSchema,
  unreadableIntentSchema,
} from "@cloudwright/core/model/actions/intent";
import { AUDIT_RESULTS } from "@cloudwright/core/model/audit/audit";
import { objectRefSchema } from "@cloudwright/core/model/object-ref";
import { changeSchema, notTakenSchema } from "@cloudwright/core/model/plan";
import { reasonSchema } from "@cloudwright/core/model/reason";
import { EVENT_TYPES, eventWatchSchema } from "@cloudwright/core/model/records/object-event";
import { flagSettingSchema } from "@cloudwright/core/model/records/settings-record";
import {
  emittedEventSchema,
  OUTCOMES,
  runEndSchema,
  triggerSchema,
} from "@cloudwright/core/model/run";
import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import { jsonSchema } from "@cloudwright/core/model/values/json";
import { DIRECTIONS } from "@cloudwright/store/views/changes";
import { LIST_PARTS } from "@cloudwright/store/views/comments";
import { AUDIT_PROOFS } from "@cloudwright/store/views/views";
import { z } from "zod";
import { named } from "./named.ts";
import { actionOfEntry, actor, object, pageOf, rowsOf, time, unreadOf } from "./shared.ts";

export const runRow = named(
  "Run",
  z.object({
    id: z.string(),
    controller: z.string(),
    object,
    trigger: triggerSchema,
    attempt: z.number(),
    outcome: z.enum([...OUTCOMES, "running"]),
    reason: z.optional(reasonSchema),
    startedAt: time,
    queuedMs: z.number(),
    durationMs: z.number().optional(),
    cloudCalls: z.number(),
    kubeCalls: z.number(),
    changes: z.number(),
    dryRun: z.boolean(),
    folded: z
      .number()
      .meta({ description: "How many equal unchanged runs of the object this row stands for." }),
    foldedFrom: time.optional(),
    foldedMaxMs: z.number().optional(),
  }),
);

const COMMENTS = {
  comments: z
    .number()
    .optional()
    .meta({ description: "How many comments can be read on it; absent where there is none." }),
};

export const runs = named(
  "Runs",
  pageOf(named("ListedRun", runRow.extend(COMMENTS)), { unread: unreadOf(LIST_PARTS) }),
);

export const runDetail = named(
  "RunDetail",
  z.object({
    row: runRow,
    end: z.optional(named("RunEnd", runEndSchema)),
    changes: z.array(changeSchema),
    notTaken: z.array(notTakenSchema),
    instance: z.string(),
    previousId: z.string().optional(),
    nextId: z.string().optional(),
    intent: z.optional(listedIntentSchema),
  }),
);

export const runEvents = named(
  "RunEvents",
  z.object({
    events: z.array(
      z
        .object(emittedEventSchema.def.innerType.shape)
        .omit({ offsetMs: true })
        .extend({ at: time, runId: z.string(), controller: z.string() }),
    ),
    isRecorded: z.boolean().meta({
      description:
        "`false` for a run that has not ended, and for one whose controller's release kept no Events.",
    }),
    from: time,
    to: time,
  }),
);

export const objectEvents = named(
  "ObjectEvents",
  pageOf(
    named(
      "ObjectEvent",
      z.object({
        id: z.string(),
        at: time,
        firstAt: time,
        count: z.number(),
        type: z.enum(EVENT_TYPES),
        reason: z.string(),
        message: z.string(),
        object: objectRefSchema,
        component: z.string(),
        run: z
          .object({ id: z.string(), controller: z.string() })
          .optional()
          .meta({ description: "Of an Event that Cloudwright sent: the run that sent it." }),
      }),
    ),
    {
      watch: z.optional(named("EventWatch", eventWatchSchema)).meta({
        description:
          "Whether the leader records the Events of other components; absent if its release cannot.",
      }),
    },
  ),
);

const stateThen = named(
  "StateThen",
  z.object({
    at: time,
    state: stateSchema,
    reason: reasonSchema,
    drift: driftSchema,
    address: z.string().optional(),
  }),
);

export const changes = named(
  "Changes",
  pageOf(
    z.object({
      kind: z.string(),
      name: z.string().meta({ description: "With its namespace, where it has one: `shop/web`." }),
      uid: z.string(),
      direction: z.enum(DIRECTIONS),
      was: z.union([stateThen, z.enum(["unknown", "absent"])]).meta({
        description: "`absent`: it was not there. `unknown`: what it was is not kept.",
      }),
      now: stateThen,
      isReplaced: z
        .boolean()
        .meta({ description: "Whether another object of the same name is there now." }),
      times: z.number().meta({ description: "How often it changed in between." }),
      runs: z.number(),
      cloudWrites: z.number(),
    }),
    {
      from: time,
      to: time,
      counts: z.array(
        z.object({ kind: z.string(), direction: z.enum(DIRECTIONS), count: z.number() }),
      ),
      completeFrom: time
        .optional()
        .meta({ description: "From then on the changes are kept without a gap." }),
    },
  ),
);

export const action = listedIntentSchema;
export const actions = named(
  "Actions",
  pageOf(
    z.union([
      named(
        "UnreadableListedAction",
        z.object({ ...unreadableIntentSchema.def.innerType.shape, ...COMMENTS }),
      ),
      named("ListedAction", z.object({ ...intentSchema.def.innerType.shape, ...COMMENTS })),
    ]),
    { unread: unreadOf(LIST_PARTS) },
  ),
);

const auditRow = named(
  "AuditEntry",
  z.object({
    seq: z.number(),
    id: z.string(),
    at: time,
    actor,
    action: z.string(),
    object: object.optional(),
    why: z.string(),
    reason: z
      .optional(reasonSchema)
      .meta({ description: "The reason of the change, which `why` says; absent without its run." }),
    result: z.string().meta({ description: AUDIT_RESULTS.join(", ") }),
    before: jsonSchema,
    after: jsonSchema,
    runId: z.string().optional(),
    intentId: z.string().optional(),
    intent: actionOfEntry.optional(),
    client: z.object({ address: z.string(), agent: z.string() }).optional(),
    evidence: z.object({ login: z.string(), proof: z.enum(AUDIT_PROOFS) }).optional(),
    hash: z.string(),
  }),
);
export const audit = named("Audit", pageOf(auditRow));

const head = z.object({ seq: z.number(), hash: z.string(), at: time });
export const auditChain = named(
  "AuditChain",
  z.object({
    chain: z.string(),
    head: head.optional(),
    since: time.optional(),
    checkpoint: head.extend({ place: z.string() }).optional(),
    verified: z
      .object({
        at: time,
        intact: z.boolean(),
        entries: z.number(),
        by: z.string(),
        anchoredTo: z.number().optional(),
      })
      .optional()
      .meta({ description: "When the chain was last verified, and what that found." }),
  }),
);

export const controllers = named(
  "Controllers",
  rowsOf(
    z.object({
      controller: z.string(),
      runs: z.number(),
      failed: z.number(),
      newestAt: time.optional(),
    }),
  ),
);

export const settings = named(
  "Settings",
  rowsOf(
    z.object({
      identity: z.string(),
      at: time,
      leader: z.boolean(),
      dryRun: z.boolean(),
      flags: z.array(flagSettingSchema),
    }),
  ),
);
