import { controllerOf } from "@cloudwright/core/model/controller-names";
import { objectName } from "@cloudwright/core/model/object-ref";
import type {
  ControllerUse,
  LookupCounts,
  PendingRequest,
  PriorityWaits,
} from "@cloudwright/core/model/records/budget-record";
import {
  type QuotaUse,
  type ServiceQuotas,
  shareUsed,
} from "@cloudwright/core/model/records/quota-record";
import { capitalise } from "@cloudwright/core/model/sentence";
import type { BudgetView, OperationBudget, ResyncCost } from "@cloudwright/store/views/budget";
import { type Field, field, timeField } from "../../components/table/field.ts";
import { PRIORITY_LABELS } from "./budget-messages.ts";

/** One operation of one of the two APIs, in the page's time range. */
export type OperationRow = OperationBudget & {
  readonly api: "Cloud" | "Kubernetes API";
  /** The minutes that have a record. */
  readonly minutes: number;
};

/** The fields of the export of operations: the columns of the page's tables and more. */
export const OPERATION_FIELDS: readonly Field<OperationRow>[] = [
  field("api", "API", ({ api }) => api),
  field("operation", "Operation", ({ operation }) => operation),
  field("calls", "Calls", ({ calls }) => calls),
  field("rate", "A minute", ({ calls, minutes }) => Number((calls / minutes).toFixed(3))),
  field("throttled", "429", ({ throttled }) => throttled),
  field("failed", "Failed", ({ failed }) => failed),
  field("retries", "Retries", ({ retries }) => retries),
  field("p95", "p95 (ms)", ({ p95Ms }) => p95Ms),
  field("waited", "Waited for our limit", ({ waited }) => waited),
  field("longestWait", "Longest wait (ms)", ({ longestWaitMs }) => longestWaitMs),
];

/** The fields of the export of waits for the cloud's budget, by priority. */
export const WAIT_FIELDS: readonly Field<PriorityWaits>[] = [
  field("priority", "Priority", ({ priority }) => PRIORITY_LABELS[priority]),
  field("calls", "Calls", ({ calls }) => calls),
  field("waited", "Waited", ({ waited }) => waited),
  field("average", "On average (ms)", ({ waited, waitMs }) =>
    waited === 0 ? undefined : Math.round(waitMs / waited),
  ),
  field("longest", "At most (ms)", ({ longestWaitMs }) => longestWaitMs),
  field("deferred", "Deferred", ({ putOff }) => putOff),
];

/** The fields of the export of the runs that waited longest. */
export const WAITER_FIELDS: readonly Field<PendingRequest>[] = [
  field("kind", "Kind", ({ object }) => object.kind),
  field("object", "Object", ({ object }) => objectName(object)),
  field("controller", "Controller", ({ controller }) => controllerOf(controller).label),
  field("waited", "Waited (ms)", ({ waitMs }) => Math.round(waitMs)),
  timeField("at", "Run", ({ at }) => at),
  field("run", "Run id", ({ runId }) => runId),
];

/** The cost of a controller's runs, and of one check of all its objects. */
export interface CostRow {
  readonly use: ControllerUse;
  /** Absent if its periodic check was not seen. */
  readonly look: ResyncCost | undefined;
}

export function costRows({ controllers, resync }: BudgetView): readonly CostRow[] {
  return controllers.map((use) => ({
    use,
    look: resync.find(({ controller, objects }) => controller === use.controller && objects > 0),
  }));
}

/** The fields of the export of costs by controller. */
export const COST_FIELDS: readonly Field<CostRow>[] = [
  field("controller", "Controller", ({ use }) => controllerOf(use.controller).label),
  field("runs", "Runs recorded", ({ use }) => use.runs),
  field("failed", "Failed", ({ use }) => use.failed),
  field("cloudCalls", "Cloud calls", ({ use }) => rounded(use.cloudCalls)),
  field("cloudCallsPerRun", "Cloud calls a run", ({ use }) => perRun(use.cloudCalls, use)),
  field("apiCalls", "API calls", ({ use }) => rounded(use.kubeCalls)),
  field("apiCallsPerRun", "API calls a run", ({ use }) => perRun(use.kubeCalls, use)),
  field("checkCalls", "Calls of a full check", ({ look }) => look?.calls),
  field("checkObjects", "Objects of a full check", ({ look }) => look?.objects),
];

function perRun(calls: number, { runs }: ControllerUse): number | undefined {
  return runs === 0 ? undefined : rounded(calls / runs);
}

/** A call that several runs share is divided among them. */
function rounded(count: number): number {
  return Number(count.toFixed(3));
}

/** The fields of the export of lookups: how many needed no call of their own. */
export const LOOKUP_FIELDS: readonly Field<LookupCounts>[] = [
  field("lookup", "Lookup", ({ what }) => capitalise(what)),
  field("requests", "Requests", ({ asked }) => asked),
  field("known", "Already known", ({ withoutCall }) => withoutCall),
  field("shared", "Shared a call", ({ shared }) => shared),
  field("saved", "Calls saved (%)", ({ asked, withoutCall, shared }) =>
    asked === 0 ? undefined : Math.round((100 * (withoutCall + shared)) / asked),
  ),
];

/** One quota of a service of the cloud. */
export interface QuotaRow extends QuotaUse {
  readonly service: string;
  /** When it was read, and why there is nothing newer. */
  readonly readAt: number | undefined;
  readonly problem: string | undefined;
}

export function quotaRows(services: readonly ServiceQuotas[]): readonly QuotaRow[] {
  return services.flatMap(({ service, readAt, problem, quotas }) =>
    quotas.map((quota) => ({ ...quota, service, readAt, problem })),
  );
}

/** The fields of the export of the cloud's quotas. */
export const QUOTA_FIELDS: readonly Field<QuotaRow>[] = [
  field("quota", "Quota", ({ resource }) => capitalise(resource)),
  field("service", "Service", ({ service }) => service),
  field("used", "Used", ({ used }) => used),
  field("limit", "Limit", ({ limit }) => limit),
  field("left", "Left", ({ limit, used }) =>
    limit === undefined || used === undefined ? undefined : Math.max(0, limit - used),
  ),
  field("share", "Of the limit (%)", (quota) => {
    const share = shareUsed(quota);
    return share === undefined ? undefined : Math.round(share * 100);
  }),
  timeField("read", "Read", ({ readAt }) => readAt),
  field("problem", "Last attempt failed", ({ problem }) => problem),
];
