import { demand, eventually, same } from "../../harness/wait.ts";
import {
  createInstance,
  createNode,
  hasTaint,
  initialised,
  internal,
  type NodeOptions,
  SHUTDOWN_KEY,
  type seen,
  setReady,
  taintsOf,
  UNINITIALIZED,
  untilNode,
} from "../environment/objects.ts";
import type { Environment, SharedEnvironment } from "../environment/scenario.ts";

export const SHUTDOWN = { key: SHUTDOWN_KEY, effect: "NoSchedule" };
/** `--node-monitor-period` of spec/90 §0. */
export const PERIOD_MS = 1_000;

/** Creates an initialised node; returns it with its instance's id. */
export async function joined(
  env: Environment,
  name: string,
  options: NodeOptions,
): Promise<string> {
  const numbers = name.replaceAll(/\D+/g, ".").split(".").filter(Boolean);
  const address = `10.${100 + Number(numbers[0])}.1.${Number(numbers[1] ?? 0) % 250}`;
  const instance = await createInstance(env, name, { addresses: [internal(address)] });
  await createNode(env, name, { ...options, taints: [...(options.taints ?? []), UNINITIALIZED] });
  await initialised(env, name);
  return instance.id;
}

export async function stoppedNode(
  env: SharedEnvironment,
  name: string,
  options: NodeOptions = {},
): Promise<string> {
  const id = await joined(env, name, { ...options, ready: "True" });
  if (options.taints !== undefined)
    await editTaints(env, name, (taints) => merged(taints, options.taints ?? []));
  await env.cloud.stop(id);
  await setReady(env, name, "False");
  await untilNode(env, name, { check: shutdownTaint });
  return id;
}

type Taints = ReturnType<typeof taintsOf>;

function merged(taints: Taints, more: Taints): Taints {
  return [...taints.filter(({ key }) => !more.some((other) => other.key === key)), ...more];
}

/** Edits a list like a careful client: on the revision that it read, and again if that is outdated. */
export async function editTaints(
  env: SharedEnvironment,
  name: string,
  edit: (taints: Taints) => Taints,
): Promise<void> {
  await eventually(async () => {
    const node = await env.kube.get<ReturnType<typeof seen>>(`/api/v1/nodes/${name}`);
    await env.kube.patch(`/api/v1/nodes/${name}`, "merge", {
      metadata: { resourceVersion: node.metadata.resourceVersion },
      spec: { taints: edit(node.spec.taints ?? []) },
    });
  });
}

export function failing(
  env: SharedEnvironment,
  name: string,
  id: string,
): Promise<() => Promise<void>> {
  return env.cloud.faultOnReads({ instance: name, status: 500 }, { instance: id, status: 500 });
}

export function bare({ key, value, effect }: { key: string; value?: string; effect: string }) {
  return value === undefined || value === "" ? { key, effect } : { key, value, effect };
}

export function shutdownTaint(node: ReturnType<typeof seen>): void {
  const taints = taintsOf(node).filter(({ key }) => key === SHUTDOWN_KEY);
  same(taints.map(bare), [SHUTDOWN], "the shutdown taint");
}

export function noShutdownTaint(node: ReturnType<typeof seen>): void {
  demand(!hasTaint(node, SHUTDOWN_KEY), "it has the shutdown taint");
}
