import { expect } from "vitest";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { Pause } from "../../model/controls.ts";
import type { ControllerLoop } from "../../reconcile/loop-port.ts";

/** A controller over a cluster and a cloud in memory, on a clock of its own. */
export interface PreviewedEnvironment {
  readonly loop: Pick<ControllerLoop, "preview" | "object" | "pause" | "resume" | "retry">;
  settle(ms?: number): Promise<unknown>;
}

/**
 * What happens to cluster and cloud. Where it answers with an action, that is requested for the first key once the controller goes on,
 * and previewed first like all else.
 */
export type ScenarioStep<Environment> = (environment: Environment) => unknown;

/** An action that a step ends with. */
export class Requests {
  readonly action: ObjectAction;

  constructor(action: ObjectAction) {
    this.action = action;
  }
}

export interface Scenario<Environment extends PreviewedEnvironment> {
  start(): Promise<Environment>;
  /** One after the other; the controller comes to rest after each. */
  readonly steps: readonly ScenarioStep<Environment>[];
  /** What is previewed before the controller acts on a step. */
  readonly keys: readonly string[];
  /** All that was published, remembered and written so far. Reads of the cloud are the preview's own. */
  traces(environment: Environment): unknown;
  /** Looks at how it ended, so that a scenario is known to have come to what it is about. */
  ended?(environment: Environment): void;
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
  const previewed = await play(scenario, async (environment, requested) => {
    const before = scenario.traces(environment);
    for (const key of scenario.keys) await preview(environment, key, requested);
    expect(scenario.traces(environment)).toEqual(before);
  });
  expect(previewed).toEqual(alone);
  // A run that met a defect, such as a part of a reconciler that does more than read, would leave the same both times.
  expect(JSON.stringify(alone)).not.toContain(`"Unexplained"`);
}

const LONG_MS = 20_000;

async function play<Environment extends PreviewedEnvironment>(
  { start, steps, traces, keys, ended }: Scenario<Environment>,
  beforeIt: (environment: Environment, requested: Requested | undefined) => Promise<void>,
): Promise<readonly unknown[]> {
  const environment = await start();
  const seen: unknown[] = [];
  for (const step of steps) {
    await environment.loop.pause(PAUSE);
    const answer = await step(environment);
    const requested =
      answer instanceof Requests ? { ...REQUEST, action: answer.action } : undefined;
    await beforeIt(environment, requested);
    environment.loop.resume();
    if (requested !== undefined) void request(environment, keys[0] ?? "", requested);
    await environment.settle(LONG_MS);
    seen.push(traces(environment));
  }
  ended?.(environment);
  return seen;
}

/** As a user asks for it. What could not be looked at is no preview, and leaves nothing either. */
async function preview(
  environment: PreviewedEnvironment,
  key: string,
  requested: Requested | undefined,
): Promise<void> {
  const trigger = { kind: "intent", intentId: REQUEST.intentId, actor: REQUEST.by } as const;
  const { signal } = new AbortController();
  const planned = environment.loop
    .preview(key, { trigger, signal, requested })
    .catch(() => undefined);
  await environment.settle(0);
  await planned;
}

type Requested = RequestedAction<ObjectAction>;

const REQUEST = { intentId: "i-0", by: "Ada", why: "INC-88" };

function request({ loop }: PreviewedEnvironment, key: string, requested: Requested) {
  const { intentId, by: actor } = requested;
  return loop.retry(key, { intentId, actor, requested });
}

const PAUSE: Pause = {
  controller: "service-lb-controller",
  by: "Ada",
  why: "the step comes first",
  at: 0,
  until: Number.MAX_SAFE_INTEGER,
  intentId: "i-0",
};
