import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { type RunEnd, type RunStart, runStartSchema } from "@cloudwright/core/model/run";

/** How some records change which runs have begun and not ended. */
export interface OpenRunChanges {
  readonly opened: readonly RunStart[];
  readonly ended: readonly string[];
}

/** The runs whose start was seen and whose end was not: what a dead process was doing. */
export interface OpenRuns {
  apply(changes: OpenRunChanges): void;
  ids(): readonly string[];
  all(): readonly RunStart[];
}

export function trackOpenRuns(known: readonly RunStart[] = []): OpenRuns {
  const open = new Map(known.map((start) => [start.id, start]));
  return {
    apply({ opened, ended }) {
      for (const id of ended) open.delete(id);
      for (const start of opened) open.set(start.id, start);
    },
    ids: () => [...open.keys()],
    all: () => [...open.values()],
  };
}

/** `before`: the ids of the runs that were open before these records. */
export function openRunChanges(
  values: readonly unknown[],
  before: readonly string[],
): OpenRunChanges {
  const known = new Set(before);
  const opened = new Map<string, unknown>();
  const ended: string[] = [];
  const end = (id: string) => {
    opened.delete(id);
    if (known.has(id)) ended.push(id);
  };
  for (const value of values) {
    if (isOfType(value, "run.end")) end(String(value.id));
    if (isOfType(value, "run.start")) opened.set(String(value.id), value);
  }
  // Nearly all have ended in the same batch, and checking a start is dear.
  const starts = [...opened.values()].map((value) => runStartSchema.safeParse(value));
  return { opened: starts.flatMap(({ data }) => data ?? []), ended };
}

/** The end of a run that its process did not live to write. What was applied of its plan is not known. */
export function interruptedEnd(start: RunStart, lastSignOfLife: number): RunEnd {
  const reason = { code: "RunInterrupted" } as const;
  return {
    ...start,
    type: "run.end",
    durationMs: Math.max(0, lastSignOfLife - start.startedAt),
    planMs: 0,
    outcome: "interrupted",
    reason,
    next: { kind: "failed", reason },
    applied: 0,
    steps: [],
  };
}

/** Whether it is a record of this type about something with an id; the rest of it is not checked. */
export function isOfType(value: unknown, type: string): value is { readonly id: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === type &&
    "id" in value
  );
}

/** Finds the runs whose end a full disk has swallowed, so that they do not run for ever in the ledger. */
interface LostEnds {
  /** Called with each record, whether it is written or lost. */
  note(record: LedgerRecord): void;
  /** Which of these runs, whose records have all been drained, will have no other end. */
  among(open: readonly RunStart[]): readonly RunStart[];
}

export function trackLostEnds(): LostEnds {
  /** Begun by this process and not ended. */
  const living = new Set<string>();
  return {
    note(record) {
      if (record.type === "run.start") living.add(record.id);
      if (record.type === "run.end") living.delete(record.id);
    },
    among: (open) => open.filter(({ id }) => !living.has(id)),
  };
}
