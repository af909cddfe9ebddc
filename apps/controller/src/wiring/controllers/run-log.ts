import { changeDetails, changeDone } from "@cloudwright/core/model/audit/change-done";
import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { Change } from "@cloudwright/core/model/plan";
import { factsOf, type ReasonCode } from "@cloudwright/core/model/reason";
import type { Outcome } from "@cloudwright/core/model/run";
import { eventMessage } from "@cloudwright/core/model/sentence";
import { triggerName } from "@cloudwright/core/model/trigger-name";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import type { Log } from "../../logging/log.ts";

/** The log of one controller's runs. */
export interface RunLog {
  ended(outcome: RunOutcome): void;
  /** Logs the differences that a dry run has found, as its last line; otherwise does nothing. */
  summarise(): void;
}

/**
 * Logs each run that changed something, with what it wrote; failures, less often as they repeat (the 1st, 10th, 100th …); once,
 * what a node waits for if somebody may have to act, and what is deliberately left as it is; and each difference of a dry run
 * once. The rest appears from `-v=2` on.
 */
export function createRunLog(
  log: Log,
  controller: ControllerName,
  notes: RunNotes = new RunNotes(),
): RunLog {
  const awaited = new Map<string, ReasonCode>();
  const differences = new Map<string, Difference>();
  let hasDryRun = false;
  return {
    ended: (outcome) => {
      hasDryRun ||= outcome.dryRun;
      if (outcome.dryRun) logDifference(log, outcome, differences);
      const isNews = [isNewsToWaitFor(outcome, awaited), notes.isNews(outcome)].includes(true);
      const level = isNews ? "info" : levelOf(outcome);
      if (log.isLevelEnabled(level)) log[level](runFields(outcome), "Run ended");
    },
    summarise: () => {
      if (hasDryRun) log.info({ controller, ...summaryOf(differences) }, "Dry run ended");
    },
  };
}

function runFields(outcome: RunOutcome): object {
  const { trigger, durationMs, failures, written } = outcome;
  return {
    ...subjectFields(outcome),
    outcome: outcome.outcome,
    trigger: triggerName(trigger),
    ...(trigger.kind === "intent" ? { by: trigger.actor } : {}),
    ...(written.length === 0 ? {} : { wrote: written.map(changeDone) }),
    why: eventMessage(outcome.reason),
    durationMs: Math.round(durationMs),
    ...(failures === 0 ? {} : { failures }),
    ...(outcome.dryRun ? { dryRun: true } : {}),
  };
}

function subjectFields({ controller, object, runId }: RunOutcome): object {
  return { controller, object: `${object.kind}/${objectName(object)}`, runId };
}

const BAD: ReadonlySet<Outcome> = new Set(["failed", "timedOut", "interrupted", "blocked"]);

function levelOf({ outcome, reason, failures }: RunOutcome): "info" | "warn" | "debug" {
  // The loss of the Lease has a line of its own; work that it stopped is not a failure of the cloud or the cluster.
  if (outcome === "changed" || reason.code === "LeaseLost") return "info";
  if (!BAD.has(outcome)) return "debug";
  return failures <= 1 || Number.isInteger(Math.log10(failures)) ? "warn" : "debug";
}

/** Reports whether an object waits for something that somebody may have to fix, and that has not been logged yet. */
function isNewsToWaitFor(outcome: RunOutcome, awaited: Map<string, ReasonCode>): boolean {
  const key = keyOf(outcome);
  const { code } = outcome.reason;
  if (outcome.outcome !== "waiting" || factsOf(code).isLoggedWhileWaiting !== true) {
    awaited.delete(key);
    return false;
  }
  const isNews = awaited.get(key) !== code;
  awaited.set(key, code);
  return isNews;
}

interface Difference {
  readonly text: string;
  readonly changes: readonly Change[];
}

function logDifference(log: Log, outcome: RunOutcome, differences: Map<string, Difference>): void {
  const key = keyOf(outcome);
  const { unwritten: changes } = outcome;
  const known = differences.get(key);
  if (changes.length === 0) {
    if (known === undefined || BAD.has(outcome.outcome)) return;
    differences.delete(key);
    log.info(subjectFields(outcome), "Dry run: no longer differs");
    return;
  }
  const differs = changes.map(wouldWrite);
  const text = differs.join("\n");
  if (known?.text === text) return;
  differences.set(key, { text, changes });
  const why = eventMessage(outcome.reason);
  log.info({ ...subjectFields(outcome), differs, why }, "Dry run: this would be written");
}

function wouldWrite(change: Change): string {
  const details = changeDetails(change);
  return details === "" ? changeTitle(change) : `${changeTitle(change)} (${details})`;
}

function summaryOf(differences: ReadonlyMap<string, Difference>): object {
  const changes = [...differences.values()].flatMap((each) => each.changes);
  const kinds: Record<string, number> = {};
  for (const { kind } of changes) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return { objects: differences.size, changes: changes.length, kinds };
}

/** Includes the UID: for an object re-created under its name, everything is new. */
function keyOf({ object }: RunOutcome): string {
  return `${object.kind} ${objectName(object)} ${object.uid ?? ""}`;
}

/** What has been logged about each object, for all controllers: the same report from several of them is one line. */
export class RunNotes {
  readonly #noted = new Map<string, { readonly controller: string; readonly what: string }>();

  /** Reports whether the outcome deserves a note that has not been logged yet, and marks it as logged. */
  isNews({ controller, object, reason }: RunOutcome): boolean {
    const key = `${object.kind} ${objectName(object)}`;
    const noted = this.#noted.get(key);
    if (factsOf(reason.code).isNoted !== true) {
      if (noted?.controller === controller) this.#noted.delete(key);
      return false;
    }
    const what = JSON.stringify([object.uid, reason]);
    if (noted?.what === what) return false;
    this.#noted.set(key, { controller, what });
    return true;
  }
}
