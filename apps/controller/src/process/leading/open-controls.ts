import { uidOf } from "@cloudwright/core/controllers/objects/object-meta";
import type { EventRecorder } from "@cloudwright/core/kube/events/events";
import type { Term } from "@cloudwright/core/kube/lease/election";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { type Controls, openControls } from "@cloudwright/core/reconcile/controls/open-controls";
import { startIntents } from "@cloudwright/core/reconcile/intents/intents";
import type { IntentTarget } from "@cloudwright/core/reconcile/loop-port";
import type { IntentSource } from "@cloudwright/core/reconcile/ports";
import type {
  ControllerContext,
  StartedController,
} from "../../wiring/controllers/started-controller.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import { logSetting, settingFlags } from "./setting-flags.ts";

/** Reads users' decisions about this cluster's controllers. Throws the signal's reason. */
export function openControlsOf(
  parts: Omit<ControllerContext, "controls" | "routesUnderWay">,
  events: EventRecorder,
  {
    running,
    onSetting,
    signal,
  }: {
    readonly running: readonly ControllerName[];
    /** Called when the value of a setting changes. */
    onSetting(): void;
    readonly signal: AbortSignal;
  },
): Promise<Controls> {
  const { processContext, client, nodes, clusterUid, recorder } = parts;
  const { flags, clock, random, identity, log } = processContext;
  return openControls({
    client,
    namespace: flags["leader-elect-resource-namespace"],
    clock,
    random,
    recorder,
    events,
    identity: { cluster: clusterUid, instance: identity },
    controllers: new Set(running),
    flags: settingFlags(flags),
    onSetting: (notice) => {
      logSetting(log, notice);
      onSetting();
    },
    nodes: {
      count: () => nodes.list().length,
      mayBeThere: ({ name, uid }) => {
        const node = nodes.get(name);
        return !nodes.hasSynced || (node !== undefined && uidOf(node) === uid);
      },
    },
    dryRun: flags["dry-run"],
    onProblem: (problem) => log.warn({ problem }, "The control record has a problem"),
    signal,
  });
}

/** Pauses the controller while its control record says so. Call it before the controller takes its first key. */
export function obeyPauses(
  controls: Pick<Controls, "onPauses">,
  { name, loop }: Pick<StartedController, "name" | "loop">,
): void {
  controls.onPauses(async (pauses) => {
    const pause = pauses.find(({ controller }) => controller === name);
    if (pause === undefined) loop.resume();
    else await loop.pause(pause);
  });
}

interface IntentsOptions {
  readonly processContext: ProcessContext;
  /** Undefined without a database: then no action can be requested. */
  readonly intents: IntentSource | undefined;
  readonly term: Term;
  /** The running controllers; more may be added. */
  readonly loops: ReadonlyMap<ControllerName, IntentTarget>;
  readonly controls: Controls;
  readonly signal: AbortSignal;
}

/** Carries out the actions that users request, until the signal aborts. */
export function answerIntents(options: IntentsOptions): void {
  const { processContext, intents, term, loops, controls, signal } = options;
  if (intents === undefined) return;
  const { clock, flags, log } = processContext;
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
