import type { OperationBudget } from "@cloudwright/store/views/budget";
import { type Field, field } from "../../components/table/field.ts";

/** One operation of one of the two APIs, in the time that the page shows. */
export type OperationRow = OperationBudget & {
  readonly api: "Cloud" | "Kubernetes API";
  /** Of which a record is there. */
  readonly minutes: number;
};

/** What a file of operations holds: the columns of the page's tables and more. */
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
