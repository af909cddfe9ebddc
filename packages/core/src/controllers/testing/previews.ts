import { expect } from "vitest";
import type { Pause } from "../../model/controls.ts";
import type { ControllerLoop } from "../../reconcile/loop-port.ts";

/** A controller over a cluster and a cloud in memory, on a clock of its own. */
export interface PreviewedEnvironment {
  readonly loop: Pick<ControllerLoop, "preview" | "object" | "pause" | "resume">;
  settle(ms?: number): Promise<unknown>;
}

export interface Scenario<Environment extends PreviewedEnvironment> {
  start(): Promise<Environment>;
  /** What happens to cluster and cloud, one after the other; the controller comes to rest after each. */
  readonly steps: readonly ((environment: Environment) => unknown)[];
  /** What is previewed before the controller acts on a step. */
  readonly keys: readonly string[];
  /** All that was published, remembered and written so far. Reads of the cloud are the preview's own. */
  traces(environment: Environment): unknown;
}

/**
 * Plays a scenario twice, once with a preview of each key before each step is acted upon: the previews must change nothing at
 * once, and nothing of what comes after them.
 */
export async function expectPreviewsLeaveNothing<Environment extends PreviewedEnvironment>(
  scenario: Scenario<Environment>,
): Promise<void> {
  const alone = await play(scenario, async (environment) => {
    for (const _ of scenario.keys) await environment.settle(0);
  });
  const previewed = await play(scenario, async (environment) => {
    const before = scenario.traces(environment);
    for (const key of scenario.keys) await preview(environment, key);
    expect(scenario.traces(environment)).toEqual(before);
  });
  expect(previewed).toEqual(alone);
  // A run that met a defect, such as a part of a reconciler that does more than read, would leave the same both times.
  expect(JSON.stringify(alone)).not.toContain(`"Unexplained"`);
}

const LONG_MS = 20_000;

async function play<Environment extends PreviewedEnvironment>(
  { start, steps, traces }: Scenario<Environment>,
  beforeIt: (environment: Environment) => Promise<void>,
): Promise<readonly unknown[]> {
  const environment = await start();
  const seen: unknown[] = [];
  for (const step of steps) {
    await environment.loop.pause(PAUSE);
    await step(environment);
    await beforeIt(environment);
    environment.loop.resume();
    await environment.settle(LONG_MS);
    seen.push(traces(environment));
  }
  return seen;
}

/** As a user asks for it. What could not be looked at is no preview, and leaves nothing either. */
async function preview(environment: PreviewedEnvironment, key: string): Promise<void> {
  const trigger = { kind: "intent", intentId: "i-0", actor: "Ada" } as const;
  const { signal } = new AbortController();
  const planned = environment.loop.preview(key, { trigger, signal }).catch(() => undefined);
  await environment.settle(0);
  await planned;
}

const PAUSE: Pause = {
  controller: "service-lb-controller",
  by: "Ada",
  why: "the step comes first",
  at: 0,
  until: Number.MAX_SAFE_INTEGER,
  intentId: "i-0",
};
