import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import type { LookupOptions } from "../../cloud/instances/lookup-port.ts";
import type { Node } from "../../kube/client.ts";
import type { Clock } from "../../model/time.ts";
import { pause } from "../../reconcile/pause.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { instanceRefOf } from "../objects/node-object.ts";
import type { NodeSightings } from "../objects/node-sightings.ts";
import { uidOf } from "../objects/object-meta.ts";
import type { NodeMemory } from "./node-memory.ts";
import type { NodePolicy } from "./observed.ts";
import { isUnfinished } from "./override.ts";

/** How old the cloud's answer may be for a node that waits in a wave; it has begun after that node was seen in any case. */
const FRESH_FOR_NEW_NODES_MS = 30_000;
/** How old it may be for the periodic look at one that is initialised. */
const FRESH_FOR_REFRESH_MS = 10_000;
/** A node is freed because the cloud does not answer, so that is not waited for. */
const PATIENCE_FOR_OVERRIDE_MS = 2_000;

export interface LookUpPorts {
  readonly clock: Clock;
  readonly policy: NodePolicy;
  readonly provider: string;
  readonly sightings: NodeSightings;
}

interface Known {
  readonly node: Node;
  readonly memory: Pick<NodeMemory, "lookedAt" | "answeredAt" | "lookedBy">;
}

/** What the cloud says of a node now, or undefined when what is known of it is good enough. */
export async function lookUp(
  ports: LookUpPorts,
  { node, memory }: Known,
  run: RunContext,
): Promise<Lookup | undefined> {
  const options = optionsFor(ports, { node, memory }, run);
  if (options === undefined) return undefined;
  const lookup = run.instances.lookup(instanceRefOf(node), options);
  if (run.asked?.wish.kind !== "override") return lookup;
  const answered = new AbortController();
  const limit = giveUp(ports, AbortSignal.any([run.signal, answered.signal]));
  return Promise.race([lookup, limit]).finally(() => answered.abort());
}

function optionsFor(
  ports: LookUpPorts,
  { node, memory }: Known,
  run: RunContext,
): LookupOptions | undefined {
  const { clock, policy, sightings } = ports;
  const now = clock.now();
  if (activeHoldOf(node, now) !== undefined || isWithoutCloud(run)) return undefined;
  const { trigger } = run;
  const notBefore = sightings.firstSeen(uidOf(node));
  if (trigger.kind === "intent")
    return { maxAgeMs: 0, notBefore, mode: "batch", priority: "person" };
  if (isUnfinished(node) || sightings.wasUninitialised(uidOf(node))) {
    return {
      maxAgeMs: FRESH_FOR_NEW_NODES_MS,
      notBefore: Math.max(notBefore, lastAnswer(memory, run)),
      mode: "batch",
      priority: "new",
    };
  }
  if (trigger.kind === "change" && !isDue(now, memory.lookedAt, policy)) return undefined;
  const maxAgeMs = Math.min(FRESH_FOR_REFRESH_MS, policy.refreshPeriodMs / 2);
  return { maxAgeMs, notBefore, mode: "batch", priority: "refresh" };
}

/**
 * The answer that made the last try fail must not make the next one fail: that takes only what the cloud was asked since, which
 * others that failed at the same time may have asked already. A run that begins again because its write met another's has no
 * such answer.
 */
function lastAnswer({ answeredAt, lookedBy }: Known["memory"], { runId }: RunContext): number {
  return lookedBy === runId ? Number.NEGATIVE_INFINITY : (answeredAt ?? Number.NEGATIVE_INFINITY);
}

/** A node is held and released whatever the cloud says. */
function isWithoutCloud({ asked }: RunContext): boolean {
  return asked?.wish.kind === "hold" || asked?.wish.kind === "release";
}

/** Whether the periodic look is overdue: a change may have swallowed it while it waited for its turn. */
export function isDue(
  now: number,
  lookedAt: number | undefined,
  { refreshPeriodMs }: NodePolicy,
): boolean {
  return lookedAt === undefined || now - lookedAt > refreshPeriodMs;
}

async function giveUp({ clock, provider }: LookUpPorts, signal: AbortSignal): Promise<Lookup> {
  await pause(clock, PATIENCE_FOR_OVERRIDE_MS, signal);
  const error = new ProviderError("TimedOut", "It was not waited for any longer.", {
    provider,
    operation: "the lookup of the instance",
    retryAfterMs: PATIENCE_FOR_OVERRIDE_MS,
  });
  return { kind: "failed", error };
}
