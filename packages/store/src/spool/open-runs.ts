import { type RunEnd, type RunStart, runStartSchema } from "@cloudwright/core/model/run";
import { z } from "zod";

/** The runs whose start was seen and whose end was not: what a dead process was doing. */
export interface OpenRuns {
  see(value: unknown): void;
  all(): readonly RunStart[];
}

export function trackOpenRuns(known: readonly RunStart[] = []): OpenRuns {
  const open = new Map(known.map((start) => [start.id, start]));
  return {
    see(value) {
      const event = runEventSchema.safeParse(value);
      if (!event.success) return;
      if (event.data.type === "run.end") open.delete(event.data.id);
      else {
        const start = runStartSchema.safeParse(value);
        if (start.success) open.set(start.data.id, start.data);
      }
    },
    all: () => [...open.values()],
  };
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

const runEventSchema = z.object({ type: z.enum(["run.start", "run.end"]), id: z.string() });
