import { changeSentence, notTakenSentence } from "@cloudwright/core/model/audit/change-messages";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { Step } from "@cloudwright/core/model/run";
import type { TimeLabels } from "@cloudwright/core/model/sentence";
import { cause } from "@cloudwright/core/model/sentence";
import type { RunDetail } from "@cloudwright/store/views/views";
import { OUTCOME_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import { triggerText } from "../../../components/presentation/trigger-text.ts";
import { type Fate, fateText } from "../../../platform/wording/plan-fate.ts";

/** One line of the comparison; a side is undefined if that run has no such value. */
export interface ComparedLine {
  readonly id: string;
  readonly label: string;
  readonly one: string | undefined;
  readonly other: string | undefined;
  readonly differs: boolean;
}

export interface ComparedRuns {
  readonly facts: readonly ComparedLine[];
  /** What was planned, and what was considered and left out. */
  readonly plan: readonly ComparedLine[];
  /** The calls, one line per operation. */
  readonly calls: readonly ComparedLine[];
}

/** Compares two runs: how they ended, what they planned and what they called. */
export function compareRuns(one: RunDetail, other: RunDetail, time?: TimeLabels): ComparedRuns {
  return {
    facts: [...wordLines(one, other, time), ...timeLines(one, other)],
    plan: planLines(one, other, time),
    calls: callLines(one, other),
  };
}

type Read = (run: RunDetail, time: TimeLabels | undefined) => string | undefined;

const WORDS: readonly (readonly [label: () => string, Read])[] = [
  [() => t`Outcome`, ({ row }) => OUTCOME_PRESENTATION[row.outcome].label],
  [
    () => t`Why`,
    ({ row }, time) => (row.reason === undefined ? undefined : cause(row.reason, time)),
  ],
  [() => t`Controller`, ({ row }) => controllerOf(row.controller).label],
  [() => t`Trigger`, ({ row }) => triggerText(row.trigger)],
  [() => t`Attempt`, ({ row }) => String(row.attempt)],
  [() => t`Dry run`, ({ row }) => (row.dryRun ? t`yes` : t`no`)],
  [() => t`By`, ({ instance }) => instance],
];

function wordLines(one: RunDetail, other: RunDetail, time?: TimeLabels): readonly ComparedLine[] {
  return WORDS.map(([label, read]) =>
    line({ label: label(), one: read(one, time), other: read(other, time) }),
  ).filter(isSaid);
}

type ReadTime = (run: RunDetail) => number | undefined;

const TIMES: readonly (readonly [label: () => string, ReadTime])[] = [
  [() => t`Queued`, ({ row }) => row.queuedMs],
  [() => t`Took`, ({ row }) => row.durationMs],
  [() => t`Planning`, ({ end }) => end?.planMs],
  [
    () => t`Waited for the limit`,
    ({ end }) => end?.steps.reduce((sum, step) => sum + step.limiterWaitMs, 0),
  ],
];

function timeLines(one: RunDetail, other: RunDetail): readonly ComparedLine[] {
  return TIMES.map(([word, read]) => {
    const [left, right] = [read(one), read(other)];
    const label = word();
    return {
      ...{ id: label, label, one: timeText(left), other: timeText(right) },
      differs: isFarApart(left, right),
    };
  });
}

function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}

/** No two runs take the same time, so only a time that is more than twice as long, and longer by more than this, is highlighted. */
const NOTABLE_MS = 100;

function isFarApart(left: number | undefined, right: number | undefined): boolean {
  if (left === undefined || right === undefined) return left !== right;
  const [shorter, longer] = [Math.min(left, right), Math.max(left, right)];
  return longer > 2 * shorter && longer - shorter > NOTABLE_MS;
}

function planLines(one: RunDetail, other: RunDetail, time?: TimeLabels): readonly ComparedLine[] {
  const [left, right] = [plannedIn(one, time), plannedIn(other, time)];
  return [...new Set([...left.keys(), ...right.keys()])].map((sentence) =>
    line({ label: sentence, one: left.get(sentence), other: right.get(sentence) }),
  );
}

/** Returns what became of each step, by its sentence; steps with the same sentence are counted. */
function plannedIn(run: RunDetail, time: TimeLabels | undefined): ReadonlyMap<string, string> {
  const { changes, notTaken } = run;
  const steps = [
    ...changes.map(
      (change, index) => [changeSentence(change, time), fateText(fateOf(run, index))] as const,
    ),
    ...notTaken.map((left) => [notTakenSentence(left, time), t`left out`] as const),
  ];
  const fates = new Map<string, string[]>();
  for (const [sentence, fate] of steps) fates.set(sentence, [...(fates.get(sentence) ?? []), fate]);
  return new Map([...fates].map(([sentence, of]) => [sentence, fatesText(of)]));
}

/** `applied`, or `2 applied, 1 not applied` */
function fatesText(fates: readonly string[]): string {
  const [first = ""] = fates;
  if (fates.length === 1) return first;
  const count = (fate: string) => fates.filter((each) => each === fate).length;
  return [...new Set(fates)].map((fate) => `${count(fate)} ${fate}`).join(", ");
}

/** Says what became of a change. A run without an end may have died before or after writing the change. */
export function fateOf({ end }: Pick<RunDetail, "end">, index: number): Fate {
  if (end === undefined) return "not known whether applied";
  return index < end.applied ? "applied" : "not applied";
}

interface Calls {
  readonly count: number;
  readonly failed: number;
  readonly durationMs: number;
}

function callLines(one: RunDetail, other: RunDetail): readonly ComparedLine[] {
  const [left, right] = [callsOf(one), callsOf(other)];
  return [...new Set([...left.keys(), ...right.keys()])].map((label) => {
    const [these, those] = [left.get(label), right.get(label)];
    return {
      ...{ id: label, label, one: callsText(these), other: callsText(those) },
      differs:
        these?.count !== those?.count ||
        these?.failed !== those?.failed ||
        isFarApart(these?.durationMs, those?.durationMs),
    };
  });
}

/** Groups calls by `cloud GET /v1/instances`, in the order of their first call. */
function callsOf({ end }: RunDetail): ReadonlyMap<string, Calls> {
  const calls = new Map<string, Calls>();
  for (const step of end?.steps ?? []) {
    const key = `${step.system} ${step.operation}`;
    calls.set(key, withStep(calls.get(key), step));
  }
  return calls;
}

function withStep(
  { count, failed, durationMs }: Calls = { count: 0, failed: 0, durationMs: 0 },
  step: Step,
): Calls {
  return {
    count: count + 1,
    failed: failed + (step.error === undefined ? 0 : 1),
    durationMs: durationMs + step.durationMs,
  };
}

/** `3 calls, 1 failed, 420 ms` */
function callsText(calls: Calls | undefined): string | undefined {
  if (calls === undefined) return undefined;
  const { count, failed, durationMs } = calls;
  const parts = [
    count === 1 ? t`1 call` : t`${count} calls`,
    ...(failed === 0 ? [] : [t`${failed} failed`]),
    formatDuration(durationMs),
  ];
  return parts.join(", ");
}

function line(compared: Omit<ComparedLine, "id" | "differs">): ComparedLine {
  return { ...compared, id: compared.label, differs: compared.one !== compared.other };
}

function isSaid({ one, other }: ComparedLine): boolean {
  return one !== undefined || other !== undefined;
}
