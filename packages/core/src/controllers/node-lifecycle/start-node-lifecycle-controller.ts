import type { Node } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import type { WorkQueue } from "../../queue/port.ts";
import type { DeletionGuard } from "../../reconcile/deletion-guard.ts";
import { everyPeriod } from "../../reconcile/every-period.ts";
import { holdOf } from "../hold/hold.ts";
import { changedParts } from "../objects/node-changes.ts";
import { hasTaint, readyOf, SHUTDOWN_TAINT } from "../objects/node-object.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { LifecycleChecks } from "./checks.ts";

export interface NodeLifecycleControllerOptions {
  readonly informer: Informer<Node>;
  readonly queue: Pick<WorkQueue<Trigger>, "add" | "addAfter">;
  readonly checks: Pick<LifecycleChecks, "begin" | "forget">;
  /** Undefined while the guard is off. */
  readonly guard?: Pick<DeletionGuard, "waits"> | undefined;
  readonly clock: Clock;
  /** `--node-monitor-period`, in milliseconds. */
  readonly period: LiveValue<number>;
}

/**
 * Feeds the lifecycle loop's queue: every node at the start, a node at once when its readiness, taints, hold or
 * provider ID change, and the silent ones once a period, less often while nothing changes. Returns a function that
 * stops this.
 */
export function startNodeLifecycleController(options: NodeLifecycleControllerOptions): () => void {
  const { informer, queue, checks } = options;
  let stopPasses = () => {};
  let isStopped = false;
  const unsubscribe = informer.subscribe((event) => enqueue(options, event));

  function pass(): void {
    const silent = informer.list().filter(isSilent).map(nameOf);
    for (const name of checks.begin(silent)) {
      queue.add(name, { kind: "period" }, "background");
    }
  }

  void informer.synced.then(() => {
    if (isStopped) return;
    for (const node of informer.list()) {
      queue.add(nameOf(node), { kind: "start" }, isSilent(node) ? "change" : "background");
    }
    stopPasses = everyPeriod(options, pass);
  });

  return () => {
    isStopped = true;
    unsubscribe();
    stopPasses();
  };
}

/** The parts of a node that a run of this loop depends on; labels and addresses do not matter. */
const PARTS: ReadonlySet<string> = new Set([
  "created anew",
  "annotations",
  "deletion",
  "provider ID",
  "taints",
  "readiness",
]);

const WELL_CAN_WAIT_MS = 30_000;

function enqueue(
  { queue, checks, guard }: NodeLifecycleControllerOptions,
  event: InformerEvent<Node>,
): void {
  const name = nameOf(event.object);
  if (event.kind === "deleted") {
    checks.forget(name);
    guard?.waits({ name, uid: uidOf(event.object) }, undefined);
    queue.add(name, { kind: "change", what: "deleted" }, "change");
  } else if (event.kind === "updated") {
    if (staysWell(event.old, event.object)) return;
    const parts = changedParts(event.old, event.object).filter((part) => PARTS.has(part));
    if (parts.length > 0) queue.add(name, { kind: "change", what: parts.join(", ") }, "change");
  } else if (!event.initial) {
    const created: Trigger = { kind: "change", what: "created" };
    // A healthy new node only has to be recorded: others may be waiting to be initialised.
    if (isWell(event.object)) queue.addAfter(name, created, WELL_CAN_WAIT_MS);
    else queue.add(name, created, "change");
  }
}

/** Nothing is planned for a Ready node, whatever else changes: this covers most changes. */
function staysWell(old: Node, node: Node): boolean {
  return uidOf(old) === uidOf(node) && isWell(old) && isWell(node);
}

function isWell(node: Node): boolean {
  return !isSilent(node) && !hasTaint(node, SHUTDOWN_TAINT) && holdOf(node) === undefined;
}

function isSilent(node: Node): boolean {
  return readyOf(node).status !== "True";
}
