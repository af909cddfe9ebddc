import type { Node } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import type { WorkQueue } from "../../queue/port.ts";
import { everyPeriod, type Pace } from "../../reconcile/every-period.ts";
import { changedParts } from "../objects/node-changes.ts";
import { isUninitialised } from "../objects/node-object.ts";
import { nameOf } from "../objects/object-meta.ts";

export interface NodeControllerOptions {
  readonly informer: Informer<Node>;
  readonly queue: Pick<WorkQueue<Trigger>, "add">;
  readonly clock: Clock;
  /** `--node-status-update-frequency`, in milliseconds. */
  readonly period: LiveValue<number>;
  readonly pace?: Pace | undefined;
}

/**
 * Feeds the node loop's queue: every node at the start, each node that changes in a way that matters, and the
 * initialised ones once a period. Returns a function that stops this.
 */
export function startNodeController(options: NodeControllerOptions): () => void {
  const { informer, queue } = options;
  let stopRefresh = () => {};
  let isStopped = false;
  const unsubscribe = informer.subscribe((event) => enqueue(options, event));

  function refresh(): void {
    for (const node of informer.list()) {
      if (!isUninitialised(node)) queue.add(nameOf(node), { kind: "period" }, "background");
    }
  }

  void informer.synced.then(() => {
    if (isStopped) return;
    for (const node of informer.list()) addAtStart(queue, node);
    stopRefresh = everyPeriod(options, refresh);
  });

  return () => {
    isStopped = true;
    unsubscribe();
    stopRefresh();
  };
}

function enqueue({ queue }: NodeControllerOptions, event: InformerEvent<Node>): void {
  const name = nameOf(event.object);
  if (event.kind === "deleted") {
    queue.add(name, { kind: "change", what: "deleted" }, "change");
  } else if (event.kind === "updated") {
    const parts = changedParts(event.old, event.object);
    if (parts.length > 0) queue.add(name, { kind: "change", what: parts.join(", ") }, "change");
  } else if (!event.initial) {
    queue.add(name, { kind: "change", what: "created" }, "change");
  }
}

/** New nodes wait for us; initialised ones can wait for them. */
function addAtStart(queue: NodeControllerOptions["queue"], node: Node): void {
  queue.add(nameOf(node), { kind: "start" }, isUninitialised(node) ? "change" : "background");
}
