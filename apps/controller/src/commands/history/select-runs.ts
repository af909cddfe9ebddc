import { systemClock } from "@cloudwright/core/kube/system-clock";
import { canonicalControllerName } from "@cloudwright/core/model/controller-names";
import { OUTCOMES } from "@cloudwright/core/model/run";
import { TRIGGER_NAMES, triggerKindOf } from "@cloudwright/core/model/trigger-name";
import type { Database } from "@cloudwright/store/database/database";
import { listRuns } from "@cloudwright/store/queries/runs/runs";
import type { RunRow, RunsFilter } from "@cloudwright/store/views/views";
import { PlainError } from "../../plain-error.ts";
import { clusterId, firstRows, timeOf } from "../ledger/ledger-selection.ts";

/** The options of `cloudwright history` as they were written. */
export interface HistoryFlags {
  readonly cluster?: string;
  readonly controller?: string;
  readonly object?: string;
  readonly outcome: readonly string[];
  readonly trigger: readonly string[];
  readonly reason?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minCalls?: number;
  readonly limit: number;
}

type WantedOutcome = NonNullable<RunsFilter["outcomes"]>[number];
const WANTED_OUTCOMES: readonly WantedOutcome[] = [...OUTCOMES, "running"];

/** Yields the runs that the options select, newest first. Throws PlainError for an invalid option. */
export async function* selectRuns(db: Database, flags: HistoryFlags): AsyncGenerator<RunRow> {
  const filter = runsFilter(flags, systemClock.now());
  const cluster = await clusterId(db, flags.cluster);
  const sort = { by: "started", descending: true } as const;
  yield* firstRows(flags.limit, (part) => listRuns(db, { cluster, filter, sort, ...part }));
}

/** Turns the options into a filter. A time is RFC 3339, or a duration before `nowMs`. */
export function runsFilter(flags: HistoryFlags, nowMs: number): RunsFilter {
  return {
    controller: controllerOf(flags.controller),
    key: flags.object,
    outcomes: someOf("--outcome", flags.outcome, WANTED_OUTCOMES),
    triggers: triggersOf(flags.trigger),
    reason: flags.reason,
    minCalls: flags.minCalls,
    from: timeOf("--since", flags.since, nowMs),
    to: timeOf("--until", flags.until, nowMs),
  };
}

function controllerOf(name: string | undefined): RunsFilter["controller"] {
  if (name === undefined) return undefined;
  const canonical = canonicalControllerName(name);
  if (canonical !== undefined) return canonical;
  throw new PlainError(
    `--controller is "${name}", which is not a controller: cloudwright controller --help lists them.`,
  );
}

function triggersOf(given: readonly string[]): RunsFilter["triggers"] {
  if (given.length === 0) return undefined;
  return given.map((name) => {
    const kind = triggerKindOf(name);
    if (kind !== undefined) return kind;
    throw new PlainError(`--trigger is "${name}": it must be one of ${TRIGGER_NAMES.join(", ")}.`);
  });
}

function someOf<Choice extends string>(
  flag: string,
  given: readonly string[],
  choices: readonly Choice[],
): readonly Choice[] | undefined {
  if (given.length === 0) return undefined;
  return given.map((text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice !== undefined) return choice;
    throw new PlainError(`${flag} is "${text}": it must be one of ${choices.join(", ")}.`);
  });
}
