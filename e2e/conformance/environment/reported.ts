import { demand, eventually } from "../../harness/wait.ts";
import { eventsOf } from "./objects.ts";
import type { Environment, HistoryRow } from "./scenario.ts";

/** Waits for one Warning with that reason whose message contains all the other words. */
export async function warned(env: Environment, name: string, words: string[]): Promise<void> {
  await warnedWithin(env, { name, words });
}

export interface Warning {
  readonly name: string;
  /** The reason, and what else the message contains. */
  readonly words: readonly string[];
  readonly withinMs?: number;
}

/** Does the same with a longer limit. */
export async function warnedWithin(
  env: Environment,
  { name, words: [reason, ...parts], withinMs = 30_000 }: Warning,
): Promise<void> {
  await eventually(
    () => {
      const events = eventsOf(env, name);
      const fitting = events.some(
        (event) =>
          event.type === "Warning" &&
          event.reason === reason &&
          parts.every((part) => event.message.includes(part)),
      );
      const reported = events.map((event) => `${event.reason}: ${event.message}`);
      demand(
        fitting,
        `no Warning ${reason} with ${parts.join(", ")} among: ${reported.join("; ")}`,
      );
    },
    { withinMs, on: env.events },
  );
}

/** Waits for a run about the node whose reason has these fields. */
export async function recorded(
  env: Environment,
  name: string,
  wanted: Record<string, string>,
): Promise<void> {
  await eventually(async () => {
    const runs = await env.history(["--object", name]);
    const fitting = runs.some(({ reason }) =>
      Object.entries(wanted).every(([member, value]) => reason?.[member] === value),
    );
    const reasons = runs.map(({ reason }) => JSON.stringify(reason));
    demand(fitting, `no run says ${JSON.stringify(wanted)} among ${reasons.join(", ")}`);
  });
}

export interface WantedRun {
  readonly controller: string;
  readonly uid: string | undefined;
  readonly outcome: string;
  readonly reason: string;
}

/** Waits for a run about the node with this result. */
export async function isRecorded(env: Environment, name: string, wanted: WantedRun): Promise<void> {
  await eventually(async () => {
    const runs = await env.history(["--object", name, "--limit", "200"]);
    const fitting = runs.some(
      (run) =>
        run.controller === wanted.controller &&
        run.object.uid === wanted.uid &&
        run.outcome === wanted.outcome &&
        run.reason?.code === wanted.reason,
    );
    demand(
      fitting,
      `no run is ${JSON.stringify(wanted)} among ${JSON.stringify(runs.map(summary))}`,
    );
  });
}

function summary({ controller, outcome, reason }: HistoryRow): string {
  return `${controller} ${outcome} ${reason?.code}`;
}
