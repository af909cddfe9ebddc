import type { Lookup } from "@cloudwright/provider-api";
import type { InstanceDirectory, LookupOptions } from "../../cloud/ports.ts";
import type { KubeClient, KubeObject, Node, Patch, Target } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import type { ActionCarrier } from "../../model/actions/action.ts";
import type { Change } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
import { NODE_BACKOFF } from "../../queue/backoff.ts";
import { createWorkQueue, type MeasuredWorkQueue } from "../../queue/work-queue.ts";
import { startControllerLoop } from "../../reconcile/controller-loop.ts";
import type { Effect } from "../../reconcile/effects.ts";
import type { ControllerLoop, RunOutcome } from "../../reconcile/loop-port.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { mostUrgent } from "../../reconcile/triggers.ts";
import type { PatchOperation } from "../objects/json-patch.ts";
import { nameOf } from "../objects/object-meta.ts";
import { FakeInformer, type NodeShape, node } from "./node-fixture.ts";
import { readsOnly } from "./reads-only.ts";

/** The parts of a loop over Nodes. */
export interface NodeLoopEnvironment {
  readonly clock: ManualClock;
  readonly nodes: NodesOfCluster;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly effects: Effect[];
  readonly outcomes: RunOutcome[];
  readonly instances: InstanceDirectory;
  /** Answers for every instance. */
  readonly cloud: { answer(options: LookupOptions): Lookup };
  settle(ms?: number): Promise<void>;
}

interface NodeLoop<Observed, Typed extends Change, Memory, Answer> {
  readonly controller: ActionCarrier;
  readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
  readonly ended?: (outcome: RunOutcome) => void;
  readonly dryRun?: boolean;
  feed(): void;
}

/**
 * Starts a loop over Nodes as in production, with a clock of its own, whose observe, plan and conclude may only read.
 */
export async function startNodeLoop<Observed, Typed extends Change, Memory, Answer>(
  cloud: NodeLoopEnvironment["cloud"],
  make: (environment: NodeLoopEnvironment) => NodeLoop<Observed, Typed, Memory, Answer>,
): Promise<NodeLoopEnvironment & { readonly loop: ControllerLoop<Memory> }> {
  const clock = createManualClock();
  const effects: Effect[] = [];
  const outcomes: RunOutcome[] = [];
  const queue = createWorkQueue<Trigger>({
    name: "Nodes",
    clock,
    random: () => 0.5,
    backoff: NODE_BACKOFF,
    merge: mostUrgent,
  });
  const settle = (ms = 0) => clock.advance(ms);
  const nodes = new NodesOfCluster();
  const instances: InstanceDirectory = {
    for: () => ({ lookup: async (_ref, options) => cloud.answer(options) }),
  };
  const environment = { clock, nodes, instances, queue, effects, outcomes, cloud, settle };
  const { controller, reconciler, ended, dryRun = false, feed } = make(environment);
  const loop = startControllerLoop({
    controller,
    reconciler: readsOnly(reconciler),
    queue,
    effects: { emit: (effect) => effects.push(effect) },
    concurrency: 4,
    recorder: { append: () => undefined },
    clock,
    random: () => 0.5,
    identity: { cluster: "c", instance: "i" },
    dryRun,
    onOutcome: (outcome) => {
      outcomes.push(outcome);
      ended?.(outcome);
    },
  });
  feed();
  await settle();
  return { ...environment, loop };
}

/** The Nodes of an API server, which applies the patches of the node loops, and a cache that follows at once. */
class NodesOfCluster {
  readonly informer = new FakeInformer();
  readonly writes: string[] = [];
  #version = 1;

  register(shape: NodeShape): Node {
    return this.#store(node(shape));
  }

  remove(name: string): void {
    this.informer.remove(name);
  }

  readonly client: Pick<KubeClient, "patch" | "update" | "delete"> = {
    patch: async <T extends KubeObject>(target: Target, patch: Patch) => {
      const before = this.#of(target, "patch");
      this.writes.push(`patch ${JSON.stringify(patch.body)}`);
      return this.#store(patched(before, patch)) as KubeObject as T;
    },
    update: async <T extends KubeObject>(target: Target, whole: T) => {
      const before = this.#of(target, "update");
      if (whole.metadata?.resourceVersion !== before.metadata?.resourceVersion) {
        throw refused("Conflict", target, "update");
      }
      this.writes.push(`update ${JSON.stringify(whole)}`);
      const { status = {} } = before;
      return this.#store({ ...(whole as Node), status }) as KubeObject as T;
    },
    delete: async (target) => {
      const { name = "" } = this.#of(target, "delete").metadata ?? {};
      this.writes.push(`delete ${name}`);
      this.informer.remove(name);
    },
  };

  #of(target: Target, verb: string): Node {
    const found = this.informer.get(target.name ?? "");
    if (found === undefined) throw refused("NotFound", target, verb);
    return found;
  }

  #store(stored: Node): Node {
    this.#version += 1;
    const metadata = { ...stored.metadata, resourceVersion: String(this.#version) };
    this.informer.put({ ...stored, metadata });
    return this.informer.get(nameOf(stored)) ?? stored;
  }
}

function refused(code: "Conflict" | "NotFound", { name = "" }: Target, verb: string): KubeError {
  return new KubeError(code, "as an API server says", { verb, resource: "nodes", name });
}

type Json = Record<string, unknown>;

function patched(before: Node, { kind, body }: Patch): Node {
  const copy: Json = JSON.parse(JSON.stringify(before));
  if (kind !== "json") return merged(copy, body as Json) as Node;
  for (const operation of body as readonly PatchOperation[]) operate(copy, operation);
  return copy as Node;
}

/** A list replaces the other one entirely; the strategic patch's marker for that is not an entry. */
function merged(before: Json, patch: Json): Json {
  const after = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name];
    else if (Array.isArray(value)) after[name] = value.filter((one) => !("$patch" in one));
    else if (typeof value === "object")
      after[name] = merged((before[name] ?? {}) as Json, value as Json);
    else after[name] = value;
  }
  return after;
}

function operate(object: Json, operation: PatchOperation): void {
  const names = operation.path
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop() ?? "";
  const parent = names.reduce((within, name) => within[name] as Json, object);
  if (operation.op === "remove") delete parent[last];
  else if (operation.op !== "test") parent[last] = operation.value;
  else if (JSON.stringify(parent[last]) !== JSON.stringify(operation.value)) {
    throw refused("Conflict", {} as Target, "patch");
  }
}
