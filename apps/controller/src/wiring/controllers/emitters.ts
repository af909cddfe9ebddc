import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { createEventRecorder, type EventRecorder } from "@cloudwright/core/kube/events/events";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Controls } from "@cloudwright/core/reconcile/controls/open-controls";
import type { Effects } from "@cloudwright/core/reconcile/effects";
import type { ProcessContext } from "../process-context.ts";

interface EmitterParts {
  readonly processContext: ProcessContext;
  readonly client: KubeConnection;
}

/** Sends Kubernetes Events from a source. A dry run sends none. */
export function createEvents(
  { processContext, client }: EmitterParts,
  source: string,
  isBusy: () => boolean = () => false,
): EventRecorder {
  const { flags, clock, random, identity, log, metrics } = processContext;
  if (flags["dry-run"]) return SILENCE;
  return createEventRecorder({
    client,
    source,
    instance: identity,
    clock,
    random,
    isBusy,
    onError: (error) =>
      log.debug({ source, error: messageOf(error) }, "An event was not delivered"),
    onDrop: (count) => metrics.own.eventsDropped(source, count),
  });
}

const SILENCE: EventRecorder = {
  event: () => undefined,
  flush: () => Promise.resolve([]),
  dropped: 0,
};

/** Routes the effects of a controller's runs to their destinations. */
export function createEffects(
  {
    processContext,
    controls,
  }: Pick<EmitterParts, "processContext"> & { readonly controls: Pick<Controls, "guard"> },
  events: EventRecorder,
): Effects {
  return {
    emit: (effect) => {
      if (effect.kind === "event") events.event(effect.target, effect.event);
      else if (effect.kind === "metric") processContext.metrics.declared.record(effect);
      else controls.guard.waits(effect.node, effect.because);
    },
  };
}
