import { sleepUnlessAborted } from "../../kube/sleep.ts";
import { type Intent, isFinal } from "../../model/actions/intent.ts";
import { KEPT_RESULTS } from "../../model/actions/intent-result.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import type { Clock } from "../../model/time.ts";
import type { IntentTarget } from "../loop-port.ts";
import type { Claimant, IntentReport, IntentSource } from "../ports.ts";
import { carryOut } from "./carry-out-intent.ts";
import type { ControlTarget } from "./control-target.ts";

export interface IntentsOptions {
  readonly source: IntentSource;
  /** The loops that run in this process. */
  readonly loops: ReadonlyMap<ControllerName, IntentTarget>;
  /** Carries out pauses and guard releases; without it they are rejected. */
  readonly controls?: ControlTarget | undefined;
  readonly claimant: Claimant;
  readonly clock: Clock;
  /** Whether to answer only previews. */
  readonly dryRun?: boolean;
  /** Aborts with the lease at the latest. Intents in progress then stay open for the next leader. */
  readonly signal: AbortSignal;
  /** Called when an intent's report could not be delivered; the intent stays open and is offered again. */
  onError(error: unknown): void;
}

/**
 * The leader's side of users' actions: claims each intent, carries it out through the loop that it names and
 * reports the result (DESIGN.md "Processes"). The source writes the audit entries of claim and end together with
 * the state. An intent that is offered again while it is carried out is ignored.
 */
export function startIntents(options: IntentsOptions): void {
  const working = new Set<string>();
  const handle = async (intent: Intent) => {
    if (isFinal(intent.state) || working.has(intent.id)) return;
    working.add(intent.id);
    try {
      await work(options, intent);
    } catch (error) {
      if (!options.signal.aborted) options.onError(error);
    } finally {
      working.delete(intent.id);
    }
  };
  options.source.watch((intent) => void handle(intent), options.signal);
}

const DELIVERY_TRIES = 5;
const FIRST_DELIVERY_PAUSE_MS = 1_000;

async function work(options: IntentsOptions, intent: Intent): Promise<void> {
  const { source, claimant, loops, controls, clock, signal, onError } = options;
  if (!(await source.claim(intent, claimant))) return;
  if (options.dryRun && intent.kind !== "preview") {
    await deliver(options, intent, { state: "rejected", result: KEPT_RESULTS.dryRun() });
    return;
  }
  if (!(await deliver(options, intent, { state: "running" }))) return;
  let delivered: Promise<unknown> = Promise.resolve();
  const deliverNext = (report: IntentReport) => {
    delivered = delivered.then(() => deliver(options, intent, report).catch(onError));
  };
  const report = await carryOut({
    ...{ intent, loops, controls, clock, signal },
    loop: loops.get(intent.controller),
    onWriting: (runId) => deliverNext({ state: "running", runId }),
    onProgress: (loops) => deliverNext({ state: "running", loops }),
  });
  await delivered;
  if (report !== undefined) await deliver(options, intent, report);
}

/** Returns false when another leader has claimed the intent since. Throws when the database remains unavailable. */
async function deliver(
  { source, claimant, clock, signal }: IntentsOptions,
  intent: Intent,
  report: IntentReport,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await source.report(intent, claimant, report);
    } catch (error) {
      if (tries >= DELIVERY_TRIES) throw error;
      await sleepUnlessAborted(clock, FIRST_DELIVERY_PAUSE_MS * 2 ** (tries - 1), signal);
    }
  }
}
