import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import type { InstanceDirectory, LookupOptions } from "../../cloud/ports.ts";
import type { Node } from "../../kube/client.ts";
import { activeHoldOf, isWithoutCloud } from "../hold/hold.ts";
import { instanceRefOf } from "../objects/node-object.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { uidOf } from "../objects/object-meta.ts";
import { isUnfinished } from "./actions/override.ts";
import type { NodeMemory } from "./node-memory.ts";
import type { NodeContext, NodePolicy } from "./observed.ts";

/**
 * How old the cloud's answer may be for a node that waits in a wave. The lookup has in any case begun after that node was
 * first seen.
 */
const FRESH_FOR_NEW_NODES_MS = 30_000;
/** How old the answer may be for the periodic check of an initialised node. */
const FRESH_FOR_REFRESH_MS = 10_000;
/** A taint is overridden because the cloud does not answer, so an override does not wait for it. */
const PATIENCE_FOR_OVERRIDE_MS = 2_000;

export interface LookUpPorts {
  readonly instances: InstanceDirectory;
  readonly policy: NodePolicy;
  readonly provider: string;
  readonly sightings: Pick<NodeSightings, "firstSeen" | "wasUninitialised">;
}

/** Returns what the cloud says of a node now, or undefined when the known answer is good enough. */
export async function lookUp(
  ports: LookUpPorts,
  node: Node,
  run: NodeContext,
): Promise<Lookup | undefined> {
  const options = optionsFor(ports, node, run);
  if (options === undefined) return undefined;
  const lookup = run.cloud(ports.instances).lookup(instanceRefOf(node), options);
  if (run.requested?.action.kind !== "override") return lookup;
  return (await run.within(PATIENCE_FOR_OVERRIDE_MS, lookup)) ?? notWaitedFor(ports);
}

function optionsFor(
  { policy, sightings }: LookUpPorts,
  node: Node,
  run: NodeContext,
): LookupOptions | undefined {
  if (activeHoldOf(node, run.nowMs) !== undefined || isWithoutCloud(run.requested))
    return undefined;
  const { trigger } = run;
  const notBefore = sightings.firstSeen(uidOf(node));
  if (trigger.kind === "intent")
    return { maxAgeMs: 0, notBefore, mode: "batch", priority: "person" };
  if (isUnfinished(node) || sightings.wasUninitialised(uidOf(node))) {
    return {
      maxAgeMs: FRESH_FOR_NEW_NODES_MS,
      notBefore: Math.max(notBefore, lastAnswer(run)),
      mode: "batch",
      priority: "new",
    };
  }
  const isKnown = run.earlier?.isRequested === true || !isDue(run.nowMs, run.memory, policy);
  if (trigger.kind === "change" && isKnown) return undefined;
  const maxAgeMs = Math.min(FRESH_FOR_REFRESH_MS, policy.refreshPeriodMs / 2);
  return { maxAgeMs, notBefore, mode: "batch", priority: "refresh" };
}

/**
 * A retry must not reuse the answer that made the last attempt fail. It accepts only answers requested since, possibly by other
 * nodes that failed at the same time. A run that starts over because its write met a conflict has no such answer.
 */
function lastAnswer({ memory, earlier }: NodeContext): number {
  const isOfThisRun = earlier?.isRequested === true;
  return (isOfThisRun ? undefined : memory.answeredAt?.monotonicMs) ?? Number.NEGATIVE_INFINITY;
}

/** Reports whether the periodic check is overdue: a change may have replaced it while it was queued. */
export function isDue(
  nowMs: number,
  { answeredAt }: NodeMemory,
  { refreshPeriodMs }: NodePolicy,
): boolean {
  return answeredAt === undefined || nowMs - answeredAt.nowMs > refreshPeriodMs;
}

function notWaitedFor({ provider }: LookUpPorts): Lookup {
  const error = new ProviderError("TimedOut", "No answer arrived in time.", {
    provider,
    operation: "the lookup of the instance",
    retryAfterMs: PATIENCE_FOR_OVERRIDE_MS,
  });
  return { kind: "failed", error };
}
