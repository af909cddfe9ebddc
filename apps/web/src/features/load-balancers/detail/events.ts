import { controllerOf } from "@cloudwright/core/model/controller-names";
import type { TimeLabels } from "@cloudwright/core/model/sentence";
import { cause } from "@cloudwright/core/model/sentence";
import type { AuditRow, RunRow } from "@cloudwright/store/views/views";
import { OUTCOME_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import type { Presentation } from "../../../components/presentation/states.ts";
import {
  actionLabel,
  actorName,
  resultPresentation,
} from "../../../platform/wording/audit-messages.ts";

/** Something that happened to a Service's load balancer, as the ledger keeps it. */
export interface LedgerEvent {
  readonly id: string;
  readonly at: number;
  readonly status: Presentation;
  /** `Change members`, or how a run ended. */
  readonly what: string;
  readonly why: string;
  readonly by: string;
  readonly runId: string | undefined;
}

/**
 * What was written to it and asked for it, and the runs that ended otherwise than well, newest first. Runs that changed
 * something are told by what they changed.
 */
export function ledgerEvents(
  runs: readonly RunRow[],
  entries: readonly AuditRow[],
  time?: TimeLabels,
): readonly LedgerEvent[] {
  const ended = runs.filter(isInformative).map((run) => eventOfRun(run, time));
  return [...ended, ...entries.map(eventOfEntry)].toSorted((left, right) => right.at - left.at);
}

function isInformative({ outcome, dryRun }: RunRow): boolean {
  return !dryRun && outcome !== "changed" && outcome !== "unchanged" && outcome !== "running";
}

function eventOfRun(run: RunRow, time: TimeLabels | undefined): LedgerEvent {
  const { id, startedAt, durationMs = 0, outcome, reason, controller } = run;
  const status = OUTCOME_PRESENTATION[outcome];
  return {
    id,
    at: startedAt + durationMs,
    status,
    what: `Run ${status.label.toLowerCase()}`,
    why: reason === undefined ? "" : `${cause(reason, time)}.`,
    by: controllerOf(controller).label,
    runId: id,
  };
}

function eventOfEntry(entry: AuditRow): LedgerEvent {
  return {
    id: entry.id,
    at: entry.at,
    status: resultPresentation(entry.result),
    what: actionLabel(entry.action),
    why: entry.why,
    by: actorName(entry.actor),
    runId: entry.runId,
  };
}
