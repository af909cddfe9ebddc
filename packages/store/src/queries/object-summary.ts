import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { controllerNameSchema, outcomeSchema } from "@cloudwright/core/model/run";
import { stateSchema } from "@cloudwright/core/model/state";
import type { ObjectSummary } from "../balancer-views.ts";
import type { KeyColumn } from "./keyset.ts";
import { readJson, readReason, readTime } from "./stored-json.ts";

export const SUMMARY_COLUMNS =
  "name, name_key, uid, state, state_rank, reason, controller, since, next_at, failures, last_run_id, last_run_outcome, last_run_at, updated_at";

/** What lists are ordered by where they are by name. */
export interface StoredName {
  readonly name: string;
  /** As `name`, and every number in it as long as all others: node-2 comes before node-10. */
  readonly name_key: string;
}

/** The columns of any object as the driver answers them. */
export interface StoredSummary extends StoredName {
  readonly uid: string;
  readonly state: string;
  readonly state_rank: number;
  readonly reason: unknown;
  readonly controller: string;
  readonly since: Date;
  readonly next_at: Date | null;
  readonly failures: number;
  readonly last_run_id: string;
  readonly last_run_outcome: string;
  readonly last_run_at: Date;
  readonly updated_at: Date;
}

/** `controller` stands for one whose name this version does not know. */
export function objectSummary(row: StoredSummary, controller: ControllerName): ObjectSummary {
  return {
    name: row.name,
    uid: row.uid,
    state: readJson(stateSchema, row.state, "unknown"),
    reason: readReason(row.reason),
    controller: readJson(controllerNameSchema, row.controller, controller),
    since: row.since.getTime(),
    nextAt: readTime(row.next_at),
    failures: row.failures,
    lastRun: {
      id: row.last_run_id,
      outcome: readJson(outcomeSchema, row.last_run_outcome, "failed"),
      at: row.last_run_at.getTime(),
    },
    updatedAt: row.updated_at.getTime(),
  };
}

/** As a person counts. The name itself comes last, because node-1 and node-01 count alike, and a page must end between them. */
export const BY_NAME: readonly KeyColumn<StoredName>[] = [
  { expression: "name_key", type: "text", value: (row) => row.name_key },
  { expression: "name", type: "text", value: (row) => row.name },
];
export const BY_SINCE: KeyColumn<StoredSummary> = {
  expression: "since",
  type: "timestamp",
  value: (row) => row.since.getTime(),
};
/** Worst first; of equals the longest standing. */
export const BY_STATE: readonly KeyColumn<StoredSummary>[] = [
  { expression: "state_rank", type: "number", value: (row) => row.state_rank },
  BY_SINCE,
  ...BY_NAME,
];
