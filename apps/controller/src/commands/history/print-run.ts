import { formatDuration } from "@cloudwright/core/model/language/duration";
import type { Step } from "@cloudwright/core/model/run";
import { cause, eventMessage } from "@cloudwright/core/model/sentence";
import { triggerName } from "@cloudwright/core/model/trigger-name";
import type { RunDetail } from "@cloudwright/store/views/views";
import { changeLines, NEXT_LABELS, notTakenLine } from "../plan/change-lines.ts";
import { objectText } from "../terminal/print.ts";

/** Formats one run for reading: its object, plan, calls and result. */
export function runText(run: RunDetail): string {
  return `${[...headLines(run), ...planLines(run), ...callLines(run), ...resultLines(run)].join("\n")}\n`;
}

/** Formats one run for programs. Fields are added, never renamed or removed. */
export function runJson({ row, end, ...run }: RunDetail): string {
  const { changes, notTaken, instance, previousId, nextId, intent } = run;
  const found = {
    ...row,
    instance,
    plan: { changes, notTaken, planMs: end?.planMs },
    calls: end?.steps ?? [],
    result: { applied: end?.applied, next: end?.next },
    previousId,
    nextId,
    intent,
  };
  return `${JSON.stringify(found, undefined, 2)}\n`;
}

function headLines({ row, instance }: RunDetail): readonly string[] {
  const { object, trigger } = row;
  const by = trigger.kind === "intent" ? ` of ${trigger.actor}` : "";
  const what = trigger.kind === "change" ? ` (${trigger.what})` : "";
  const took = row.durationMs === undefined ? "" : `, took ${formatDuration(row.durationMs)}`;
  return [
    `Run ${row.id}${row.dryRun ? ", a dry run" : ""}`,
    `  Object      ${objectText(object)}${object.uid === undefined ? "" : ` (uid ${object.uid})`}`,
    `  Controller  ${row.controller}, process ${instance}`,
    `  Started     ${new Date(row.startedAt).toISOString()}${took}, waited ${formatDuration(row.queuedMs)} before`,
    `  Trigger     ${triggerName(trigger)}${by}${what}, attempt ${row.attempt}`,
    "",
  ];
}

function planLines({ row, end, changes, notTaken }: RunDetail): readonly string[] {
  const written = row.dryRun || end === undefined ? "" : `, ${end.applied} of them written`;
  const head =
    changes.length === 0
      ? "Plan: no changes"
      : `Plan: ${counted(changes.length, "change")}${written}`;
  return [head, ...changes.flatMap(changeLines), ...notTaken.map(notTakenLine), ""];
}

function callLines({ row, end }: RunDetail): readonly string[] {
  const steps = end?.steps ?? [];
  const known = row.cloudCalls + row.kubeCalls;
  if (known === 0) return ["Calls: none", ""];
  const lost = known - steps.length;
  const rest = lost > 0 ? [`  ${counted(lost, "call")} no longer kept`] : [];
  return [`Calls: ${known}`, ...steps.map(callLine), ...rest, ""];
}

function callLine(step: Step): string {
  const { offsetMs, durationMs, system, operation, target, status, requestId, error } = step;
  const words = [
    `+${Math.round(offsetMs)} ms`.padStart(9),
    formatDuration(durationMs).padStart(7),
    system.padEnd(5),
    `${operation} ${target}`.trim(),
    ...(status === undefined ? [] : [String(status)]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ...(step.attempt > 1 ? [`attempt ${step.attempt}`] : []),
    ...(step.sharedBy > 1 ? [`shared by ${step.sharedBy} runs`] : []),
    ...(error === undefined ? [] : [`failed: ${error}`]),
  ];
  return `  ${words.join("  ")}`;
}

function resultLines({ row, end }: RunDetail): readonly string[] {
  const why = row.reason === undefined ? "" : `: ${cause(row.reason)}.`;
  const next =
    end === undefined || end.next.reason.code === end.reason.code ? [] : [nextLine(end.next)];
  return [`Result: ${row.outcome}${why}`, ...next];
}

function nextLine(next: NonNullable<RunDetail["end"]>["next"]): string {
  const when = next.kind === "waiting" ? ` for ${formatDuration(next.forMs)}` : "";
  return `${NEXT_LABELS[next.kind]}${when}: ${eventMessage(next.reason)}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
