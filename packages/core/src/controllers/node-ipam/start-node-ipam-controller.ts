import { createBackoff } from "../../kube/backoff.ts";
import type { Node } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import { sleep } from "../../kube/sleep.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock, Random } from "../../model/time.ts";
import type { WorkQueue } from "../../queue/port.ts";
import { changedParts } from "../objects/node-changes.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { NodeIpamReconciler } from "./create-node-ipam-reconciler.ts";

export interface NodeIpamControllerOptions {
  readonly informer: Informer<Node>;
  readonly queue: Pick<WorkQueue<Trigger>, "add">;
  readonly reconciler: Pick<NodeIpamReconciler, "see" | "begin" | "forget">;
  readonly clock: Clock;
  readonly random: Random;
  /** Reads all Nodes from the API server rather than from a cache. Throws KubeError. */
  list(signal: AbortSignal): Promise<readonly Node[]>;
  /** Called when a list failed; it is retried. */
  onError(error: unknown): void;
}

/**
 * Feeds the IPAM loop's queue: once the ranges of all Nodes are known, every Node, then each that comes, goes or changes in
 * a way that matters. Returns a function that stops this.
 */
export function startNodeIpamController(options: NodeIpamControllerOptions): () => void {
  const { informer } = options;
  const stopped = new AbortController();
  const unsubscribe = informer.subscribe((event) => heed(options, event));
  void begin(options, stopped.signal);
  return () => {
    stopped.abort();
    unsubscribe();
  };
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

async function begin(options: NodeIpamControllerOptions, signal: AbortSignal): Promise<void> {
  const { informer, queue, reconciler } = options;
  const nodes = await listUntilAnswered(options, signal);
  if (nodes === undefined) return;
  await informer.synced;
  if (signal.aborted) return;
  for (const node of informer.list()) reconciler.see(node);
  reconciler.begin(nodes);
  for (const node of informer.list()) {
    // Nodes without ranges wait for us, and can be offered some now.
    reconciler.see(node);
    const isWithout = podCidrsOf(node).length === 0;
    queue.add(nameOf(node), { kind: "start" }, isWithout ? "change" : "background");
  }
  await forgetUnseen(options, nodes, signal);
}

/**
 * A Node may disappear after it was listed and before the cache is first complete: no event ever reports that. Nodes that the
 * cache does not show are looked for in later lists until they appear or are gone.
 */
async function forgetUnseen(
  options: NodeIpamControllerOptions,
  listed: readonly Node[],
  signal: AbortSignal,
): Promise<void> {
  const { informer, reconciler, clock } = options;
  const isUnseen = (node: Node) => uidOf(informer.get(nameOf(node)) ?? {}) !== uidOf(node);
  let unseen = listed.filter(isUnseen);
  while (unseen.length > 0) {
    await sleep(clock, LONGEST_PAUSE_MS, signal);
    unseen = unseen.filter(isUnseen);
    const nodes = unseen.length === 0 ? [] : await listUntilAnswered(options, signal);
    if (nodes === undefined) return;
    const there = new Set(nodes.map(uidOf));
    for (const node of unseen) if (!there.has(uidOf(node))) reconciler.forget(uidOf(node));
    unseen = unseen.filter((node) => there.has(uidOf(node)));
  }
}

/** Undefined when it was stopped first. */
async function listUntilAnswered(
  { list, clock, random, onError }: NodeIpamControllerOptions,
  signal: AbortSignal,
): Promise<readonly Node[] | undefined> {
  const backoff = createBackoff(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, random);
  while (!signal.aborted) {
    try {
      return await list(signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
      await sleep(clock, backoff.next(), signal);
    }
  }
  return undefined;
}

function heed({ queue, reconciler }: NodeIpamControllerOptions, event: InformerEvent<Node>): void {
  const name = nameOf(event.object);
  if (event.kind === "deleted") {
    reconciler.forget(uidOf(event.object));
    queue.add(name, { kind: "change", what: "deleted" }, "change");
    return;
  }
  reconciler.see(event.object);
  if (event.kind === "updated") {
    const parts = newsOf(event.old, event.object);
    if (parts.length > 0) queue.add(name, { kind: "change", what: parts.join(", ") }, "change");
  } else if (!event.initial) {
    queue.add(name, { kind: "change", what: "created" }, "change");
  }
}

/** A Node that has pod ranges keeps them whatever else changes; one that waits is retried after any change. */
function newsOf(old: Node, node: Node): readonly string[] {
  const had = podCidrsOf(old).join();
  const has = podCidrsOf(node).join();
  const parts = changedParts(old, node);
  const news = has === "" ? parts : parts.filter((part) => OF_THOSE_WITH_RANGES.has(part));
  return had === has ? news : [...news, "pod ranges"];
}

const OF_THOSE_WITH_RANGES: ReadonlySet<string> = new Set(["created anew", "annotations"]);
