import type { Term } from "@cloudwright/core/kube/lease/election";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Controls } from "@cloudwright/core/reconcile/controls/open-controls";
import { startIntents } from "@cloudwright/core/reconcile/intents";
import type { IntentTarget } from "@cloudwright/core/reconcile/loop-port";
import type { IntentSource } from "@cloudwright/core/reconcile/ports";
import { messageOf } from "../../wiring/cluster/connect-cluster.ts";
import type { Foundation } from "../../wiring/foundation.ts";

export interface IntentsWish {
  readonly foundation: Foundation;
  /** Undefined without a database: then there is nobody who could wish for anything. */
  readonly intents: IntentSource | undefined;
  readonly term: Term;
  /** Those that run; more may come. */
  readonly loops: ReadonlyMap<ControllerName, IntentTarget>;
  readonly controls: Controls;
  readonly signal: AbortSignal;
}

/** Answers people's wishes until the signal. */
export function answerIntents(wish: IntentsWish): void {
  const { foundation, intents, term, loops, controls, signal } = wish;
  if (intents === undefined) return;
  const { clock, flags, log } = foundation;
  startIntents({
    source: intents,
    loops,
    controls: controls.target,
    claimant: term,
    clock,
    dryRun: flags["dry-run"],
    signal,
    onError: (error) =>
      log.warn({ error: messageOf(error) }, "An intent's report was not delivered"),
  });
}
