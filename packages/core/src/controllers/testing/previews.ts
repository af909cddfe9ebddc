import { expect } from "vitest";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { Pause } from "../../model/controls.ts";
import type { ControllerLoop } from "../../reconcile/loop-port.ts";

/** A controller with a cluster and a cloud in memory and a clock of its own. */
export interface PreviewedEnvironment {
  readonly loop: Pick<ControllerLoop, "preview" | "object" | "pause" | "resume" | "retry">;
  settle(ms?: number): Promise<unknown>;
}

/**
 * Changes cluster and cloud. If it returns an action, that is requested for the first key once the controller goes on, and previewed
 * first like everything else.
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
  /** Run in turn; the controller settles after each. */
  readonly steps: readonly ScenarioStep<Environment>[];
  /** The keys that are previewed before the controller acts on a step. */
  readonly keys: readonly string[];
  /** Returns everything that was published, remembered and written so far. Reads of the cloud belong to the preview. */
  traces(environment: Environment): unknown;
  /** Checks the end state, so that the scenario is known to have reached its subject. */
  ended?(environment: Environment): void;
}

/**
 * Plays a scenario twice, once with a preview of each key before each step is acted on: the previews must change nothing at
 * once, and nothing of what follows.
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
  // A run that hit a defect, such as a part of a reconciler that does more than read, would leave
  // the same trace both times.
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

/** Previews like a user's request. What could not be observed gives no preview, and leaves no trace either. */
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
