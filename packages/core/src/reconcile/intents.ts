import type { ControllerName } from "../model/controller-names.ts";
import { type Intent, isFinal } from "../model/intent.ts";
import type { Clock } from "../model/time.ts";
import { carryOut } from "./carry-out-intent.ts";
import type { IntentTarget } from "./loop-port.ts";
import { pause } from "./pause.ts";
import type { Claimant, IntentReport, IntentSource } from "./ports.ts";

export interface IntentsOptions {
  readonly source: IntentSource;
  /** The loops that run in this process. */
  readonly loops: ReadonlyMap<ControllerName, IntentTarget>;
  readonly claimant: Claimant;
  readonly clock: Clock;
  /** Answers previews only. */
  readonly dryRun?: boolean;
  /** Ends it: with the lease at the latest. What is on its way then stays open for the next leader. */
  readonly signal: AbortSignal;
  /** Told when an intent's report could not be delivered; the intent stays open and is offered again. */
  onError(error: unknown): void;
}

/**
 * The leader's side of a person's wishes: claims each, carries it out through the loop that it names and reports what
 * came of it (DESIGN.md "Processes"). The source writes the audit entries of claim and end, together with the state. An intent that is offered again while it is worked on is left alone.
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
  const { source, claimant, signal } = options;
  if (!(await source.claim(intent, claimant))) return;
  const refusal = whyNot(options, intent);
  const loop = options.loops.get(intent.controller);
  if (refusal !== undefined || loop === undefined) {
    await deliver(options, intent, { state: "rejected", result: refusal ?? NOT_HERE });
    return;
  }
  if (!(await deliver(options, intent, { state: "running" }))) return;
  const report = await carryOut({ intent, loop, clock: options.clock, signal });
  if (report !== undefined) await deliver(options, intent, report);
}

const NOT_HERE = "The controller that it is for does not run here; look at --controllers.";

function whyNot({ loops, dryRun }: IntentsOptions, intent: Intent): string | undefined {
  if (!loops.has(intent.controller)) return NOT_HERE;
  if (dryRun && intent.kind !== "preview") {
    return "This controller runs dry and changes nothing; ask for a preview.";
  }
  return undefined;
}

/** False when another leader has claimed it since. Throws when the database stays away. */
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
      await pause(clock, FIRST_DELIVERY_PAUSE_MS * 2 ** (tries - 1), signal);
    }
  }
}
