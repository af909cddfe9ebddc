import { ACTION_KINDS } from "@cloudwright/core/model/actions/action";
import { INTENT_STATES } from "@cloudwright/core/model/actions/intent";
import { AUDIT_RESULTS } from "@cloudwright/core/model/audit/audit";
import { type FilterOf, type ObjectKind, sortsOf } from "@cloudwright/core/model/kinds/define-kind";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { nodeRoutesKind, staleRouteKind } from "@cloudwright/core/model/kinds/route";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import { REASON_NAME } from "@cloudwright/core/model/reason";
import { EVENT_TYPES } from "@cloudwright/core/model/records/object-event";
import { OUTCOMES } from "@cloudwright/core/model/run";
import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import { REQUEST_KEY_LENGTH } from "@cloudwright/store/ledger/request-keys";
import { PARTS_MOST } from "@cloudwright/store/sql/lists/time-histogram";
import { storableText } from "@cloudwright/store/text/storable-text";
import { BUDGET_RANGES } from "@cloudwright/store/views/budget";
import { CHANGES_SORTS, DIRECTIONS } from "@cloudwright/store/views/changes";
import { OBJECT_EVENT_SORTS } from "@cloudwright/store/views/object-events";
import { FOREIGN_SORTS } from "@cloudwright/store/views/routes";
import { SHADOW_SORTS } from "@cloudwright/store/views/shadow";
import { z } from "zod";

const TEXT_MOST = 200;
const CHOICES_MOST = 100;

/** Milliseconds since the epoch, up to the latest possible date. */
const TIME_MOST = 8_640_000_000_000_000;
const moment = z.number().min(0).max(TIME_MOST).meta({ format: "epoch-milliseconds" }).optional();
/** The same as text in an address. */
export const momentText = z.coerce.number().min(0).max(TIME_MOST).optional();

export const clusterInput = z.object({ cluster: storableText(TEXT_MOST).min(1) });
export const waitingInput = clusterInput.extend({ batch: storableText(TEXT_MOST).optional() });
export const idInput = clusterInput.extend({ id: storableText(TEXT_MOST) });
export const nameInput = clusterInput.extend({ name: storableText(253) });
/** The name with its namespace, if it has one. */
export const objectInput = clusterInput.extend({
  kind: storableText(TEXT_MOST).min(1),
  name: storableText(600).min(1),
});

const reasonCode = storableText(TEXT_MOST).regex(REASON_NAME);

export const nodesInput = objectsInput(nodeKind);
export const loadBalancersInput = objectsInput(serviceKind);
export const orphansInput = objectsInput(orphanKind);
export const routesInput = objectsInput(nodeRoutesKind);
export const staleRoutesInput = objectsInput(staleRouteKind);
export const volumesInput = objectsInput(volumeKind);

export const serviceInput = clusterInput.extend({
  namespace: storableText(253),
  name: storableText(253),
});

export const foreignRoutesInput = listInput(
  z.object({
    text: storableText(TEXT_MOST).optional(),
    table: storableText(TEXT_MOST).optional(),
  }),
  z.enum(FOREIGN_SORTS),
);

export const shadowInput = listInput(
  z.object({
    controller: storableText(100).min(1).optional(),
    text: storableText(TEXT_MOST).optional(),
    show: z.enum(["changes", "stopped", "all"]).optional(),
  }),
  z.enum(SHADOW_SORTS),
);

const requestId = storableText(TEXT_MOST).min(REQUEST_KEY_LENGTH).optional();

const runSelection = z.object({
  controller: storableText(100).min(1).optional(),
  outcomes: z
    .array(z.enum([...OUTCOMES, "running"]))
    .readonly()
    .optional(),
  /** A namespace and a name of at most 253 characters each, separated by a slash. */
  key: storableText(507).optional(),
  kind: storableText(TEXT_MOST).optional(),
  reason: reasonCode.optional(),
  triggers: z
    .array(z.enum(["change", "period", "retry", "start", "intent"]))
    .readonly()
    .optional(),
  minCalls: z.int32().nonnegative().optional(),
  operation: storableText(TEXT_MOST).optional(),
  requestId,
});

const runsFilter = runSelection.extend({
  from: moment,
  to: moment,
  not: runSelection.optional(),
});

export const runsInput = listInput(runsFilter, z.enum(["started"]));
export const runsHistogramInput = histogramInput(runsFilter);

export const changesInput = listInput(
  z.object({
    from: moment,
    to: moment,
    kinds: z.array(storableText(TEXT_MOST).min(1)).max(CHOICES_MOST).readonly().optional(),
    directions: z.array(z.enum(DIRECTIONS)).readonly().optional(),
    text: storableText(TEXT_MOST).optional(),
  }),
  z.enum(CHANGES_SORTS),
);

export const objectEventsInput = listInput(
  z.object({
    kind: storableText(TEXT_MOST).min(1),
    name: storableText(600).min(1),
    eventTypes: z.array(z.enum(EVENT_TYPES)).readonly().optional(),
    text: storableText(TEXT_MOST).optional(),
    from: moment,
    to: moment,
  }),
  z.enum(OBJECT_EVENT_SORTS),
);

export const intentsInput = listInput(
  z.object({
    open: z.boolean().optional(),
    acting: z.boolean().optional(),
    object: z
      .object({
        kind: storableText(TEXT_MOST),
        namespace: storableText(253).optional(),
        name: storableText(253),
      })
      .optional(),
    batch: z.uuid().optional(),
    verbs: z.array(z.enum(ACTION_KINDS)).readonly().optional(),
    actionStates: z.array(z.enum(INTENT_STATES)).readonly().optional(),
    text: storableText(TEXT_MOST).optional(),
  }),
  z.enum(["requested"]),
);

export const someText = storableText(TEXT_MOST).optional();

/** Members of the store's AuditFilter; in names and actions, `*` matches anything. */
export const auditFilterShape = {
  actorId: someText,
  actorName: someText,
  action: someText,
  object: z.object({ kind: someText, name: storableText(600) }).optional(),
  result: z.enum(AUDIT_RESULTS).optional(),
  from: moment,
  to: moment,
  text: someText,
  intentId: z.uuid().optional(),
  runId: z.uuid().optional(),
  requestId,
  withoutPreviews: z.boolean().optional(),
  seq: z.number().int().positive().optional(),
};

export const auditInput = listInput(z.object(auditFilterShape), z.enum(["inserted"]));
export const auditHistogramInput = histogramInput(z.object(auditFilterShape));

export const topologyServicesInput = clusterInput.extend({
  text: storableText(TEXT_MOST).optional(),
});

/** The stretch of time if both ends are given, otherwise the range. */
export const budgetFilter = z.object({ range: z.enum(BUDGET_RANGES), from: moment, to: moment });
export const budgetInput = clusterInput.extend(budgetFilter.shape);

export const initialisationInput = clusterInput.extend({ from: moment, to: moment });

/** The input of a search in all clusters. */
export const fleetFindInput = z.object({ text: storableText(TEXT_MOST) });
export const findInput = clusterInput.extend(fleetFindInput.shape);

function histogramInput<Filter extends z.ZodType>(filter: Filter) {
  return clusterInput.extend({ filter, parts: z.number().int().min(1).max(PARTS_MOST) });
}

/** Returns the input of a kind's list, from the kind's definition. */
function objectsInput<Kind extends ObjectKind>(kind: Kind) {
  return listInput(filterOf(kind), z.enum(sortsOf(kind)));
}

function filterOf<Kind extends ObjectKind>(kind: Kind): z.ZodType<FilterOf<Kind>> {
  const own = Object.entries(kind.filters).map(([name, filter]) => {
    const one = filter.choices === undefined ? storableText(TEXT_MOST) : z.enum(filter.choices);
    const value = filter.match === "equal" ? one : z.array(one).max(CHOICES_MOST).readonly();
    return [name, value.optional()];
  });
  const shape = {
    text: storableText(TEXT_MOST).optional(),
    states: z.array(stateSchema).readonly().optional(),
    drift: z.optional(driftSchema),
    reason: reasonCode.optional(),
    ...Object.fromEntries(own),
  };
  return z.object(shape) as z.ZodType as z.ZodType<FilterOf<Kind>>;
}

/** Returns `{ filter, sort, cursor, limit, first }`, which every list accepts. */
function listInput<Filter extends z.ZodType, Sort extends z.ZodType>(filter: Filter, sort: Sort) {
  const rows = z.number().int().min(1).max(200);
  return clusterInput.extend({
    filter,
    sort: z.object({ by: sort, descending: z.boolean() }),
    cursor: storableText(2_000).optional(),
    limit: rows,
    first: rows.optional(),
  });
}
