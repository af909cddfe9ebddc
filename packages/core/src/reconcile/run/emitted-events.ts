import type { EmittedEvent } from "../../model/run.ts";
import type { Effect, Effects } from "../effects.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** Emits the effects of one run, and keeps its Kubernetes Events for the run's record. */
export class RunEffects {
  readonly #effects: Effects;
  readonly #dryRun: boolean;
  readonly #run: Pick<RunInProgress, "durationMs">;
  readonly events: EmittedEvent[] = [];

  constructor(
    { effects, dryRun }: { readonly effects: Effects; readonly dryRun?: boolean },
    run: Pick<RunInProgress, "durationMs">,
  ) {
    this.#effects = effects;
    this.#dryRun = dryRun ?? false;
    this.#run = run;
  }

  emit(effects: readonly Effect[]): void {
    // What a dry run notes for the guard stays in the guard's memory.
    const emitted = this.#dryRun ? effects.filter(({ kind }) => kind === "guard") : effects;
    for (const effect of emitted) {
      this.#effects.emit(effect);
      if (effect.kind === "event") this.events.push(this.#eventOf(effect));
    }
  }

  #eventOf({ target, event }: Extract<Effect, { readonly kind: "event" }>): EmittedEvent {
    const { kind, namespace, name, uid } = target;
    const slots = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
    };
    const { type, reason, message } = event;
    const offsetMs = this.#run.durationMs;
    return { type, reason, message, target: { kind, name, ...slots }, offsetMs };
  }
}
