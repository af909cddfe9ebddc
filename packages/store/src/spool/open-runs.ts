import type { LedgerRecord } from "@cloudwright/core/model/records/record";
import { type RunEnd, type RunStart, runStartSchema } from "@cloudwright/core/model/run";

/** How a list of records changes the set of open runs. */
export interface OpenRunChanges {
  readonly opened: readonly RunStart[];
  readonly ended: readonly string[];
}

/** The runs with a start but no end: what a dead process was doing. */
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
  // Nearly all of them end in the same batch, and checking a start is expensive.
  const starts = [...opened.values()].map((value) => runStartSchema.safeParse(value));
  return { opened: starts.flatMap(({ data }) => data ?? []), ended };
}

/** Returns the end of a run whose process died before writing one. How much of its plan was applied is unknown. */
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

/** Reports whether the value is a record of this type with an id; the rest is not checked. */
export function isOfType(value: unknown, type: string): value is { readonly id: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === type &&
    "id" in value
  );
}

/** Finds the runs whose end was lost to a full disk, so that they do not appear to run forever in the ledger. */
interface LostEnds {
  /** Call this with each record, whether it is written or lost. */
  note(record: LedgerRecord): void;
  /** Returns those of these runs, whose records have all been drained, that will get no other end. */
  among(open: readonly RunStart[]): readonly RunStart[];
}

export function trackLostEnds(): LostEnds {
  /** Runs that this process started and that have not ended. */
  const living = new Set<string>();
  return {
    note(record) {
      if (record.type === "run.start") living.add(record.id);
      if (record.type === "run.end") living.delete(record.id);
    },
    among: (open) => open.filter(({ id }) => !living.has(id)),
  };
}
