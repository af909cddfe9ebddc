import type { Node } from "../../kube/client.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import { ProviderError } from "../../provider/errors.ts";
import type { LookupOptions } from "../../provider/lookup-port.ts";
import type { Lookup } from "../../provider/provider.ts";
import { pause } from "../../reconcile/pause.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold.ts";
import { instanceRefOf } from "../node-object.ts";
import type { NodePolicy } from "./observed.ts";
import { isUnfinished } from "./override.ts";

/** How old the cloud's answer may be that initialises a node (DESIGN.md "Freshness"). */
const FRESH_FOR_NEW_NODES_MS = 10_000;
/** A node is freed because the cloud does not answer, so that is not waited for. */
const PATIENCE_FOR_OVERRIDE_MS = 2_000;

export interface LookUpPorts {
  readonly clock: Clock;
  readonly policy: NodePolicy;
  readonly provider: string;
}

interface Known {
  readonly node: Node;
  /** When the cloud answered last. */
  readonly lookedAt: number | undefined;
}

/** What the cloud says of a node now, or undefined when what is known of it is good enough. */
export async function lookUp(
  ports: LookUpPorts,
  { node, lookedAt }: Known,
  run: RunContext,
): Promise<Lookup | undefined> {
  const options = optionsFor(ports, { node, lookedAt }, run);
  if (options === undefined) return undefined;
  const lookup = run.instances.lookup(instanceRefOf(node), options);
  if (run.asked?.wish.kind !== "override") return lookup;
  const answered = new AbortController();
  const limit = giveUp(ports, AbortSignal.any([run.signal, answered.signal]));
  return Promise.race([lookup, limit]).finally(() => answered.abort());
}

function optionsFor(
  ports: LookUpPorts,
  { node, lookedAt }: Known,
  run: RunContext,
): LookupOptions | undefined {
  const { clock, policy } = ports;
  const now = clock.now();
  if (activeHoldOf(node, now) !== undefined || isWithoutCloud(run)) return undefined;
  const { trigger } = run;
  if (isUnfinished(node)) return optionsForNewNode(trigger, sinceLook(now, lookedAt));
  if (trigger.kind === "intent") return { maxAgeMs: 0, mode: "batch", priority: "person" };
  if (trigger.kind === "change" && !isDue(now, lookedAt, policy)) return undefined;
  const maxAgeMs = Math.min(FRESH_FOR_NEW_NODES_MS, policy.refreshPeriodMs / 2);
  return { maxAgeMs, mode: "batch", priority: "refresh" };
}

/** A node is held and released whatever the cloud says. */
function isWithoutCloud({ asked }: RunContext): boolean {
  return asked?.wish.kind === "hold" || asked?.wish.kind === "release";
}

function sinceLook(now: number, lookedAt: number | undefined): number {
  return lookedAt === undefined ? 0 : Math.max(0, now - lookedAt);
}

/**
 * The answer that made the last try fail must not make its retry fail: that takes only what the cloud was asked since,
 * which others that failed at the same time may have asked already.
 */
function optionsForNewNode(trigger: Trigger, sinceLookMs: number): LookupOptions {
  switch (trigger.kind) {
    case "intent":
      return { maxAgeMs: 0, mode: "batch", priority: "person" };
    case "retry": {
      const maxAgeMs = Math.min(FRESH_FOR_NEW_NODES_MS, sinceLookMs);
      return { maxAgeMs, mode: "batch", priority: "new" };
    }
    case "change":
    case "period":
    case "start":
      return { maxAgeMs: FRESH_FOR_NEW_NODES_MS, mode: "batch", priority: "new" };
  }
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
