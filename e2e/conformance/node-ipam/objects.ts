import type { Flags } from "../../harness/controller.ts";
import { demand, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import { createNode, type NodeOptions, seen, untilNode } from "../environment/objects.ts";
import type { Environment } from "../environment/scenario.ts";

/** Returns the flags of a controller that only runs IPAM, with these ranges. */
export function giving(clusterCIDR: string, more: Flags = {}): Flags {
  return {
    "--controllers": "node-ipam-controller",
    "--allocate-node-cidrs": "true",
    "--cluster-cidr": clusterCIDR,
    "--leader-elect": "false",
    ...more,
  };
}

export function startGiving(
  env: IsolatedEnvironment,
  clusterCIDR: string,
  { name = "a", flags = {} }: { readonly name?: string; readonly flags?: Flags } = {},
): Promise<Replica> {
  return env.start({ name, flags: giving(clusterCIDR, flags) });
}

/** Registers nodes named after the row and these words; returns their names. */
export async function register(
  env: IsolatedEnvironment,
  words: readonly string[],
  options: NodeOptions = {},
): Promise<readonly string[]> {
  const names = words.map((word) => `${env.name}-${word}`);
  for (const name of names) await createNode(env, name, { taints: [], ...options });
  return names;
}

export function podRangesOf(env: Environment, name: string): readonly string[] {
  return seen(env, name).spec.podCIDRs ?? [];
}

/** Waits until each of the nodes has this many pod ranges, the first of them also as `podCIDR`; returns all of them. */
export async function given(
  env: Environment,
  names: readonly string[],
  { each = 1, withinMs = 30_000 } = {},
): Promise<readonly string[]> {
  const ranges: string[] = [];
  for (const name of names) {
    const { spec } = await untilNode(env, name, {
      withinMs,
      check: ({ spec: now }) => same(now.podCIDRs?.length, each, `the pod ranges of ${name}`),
    });
    same(spec.podCIDR, spec.podCIDRs?.[0], `podCIDR of ${name}`);
    ranges.push(...(spec.podCIDRs ?? []));
  }
  return ranges;
}

export function noneTwice(ranges: readonly string[]): void {
  const twice = ranges.filter((range, index) => ranges.indexOf(range) !== index);
  same(twice, [], "the pod ranges given twice");
}

export function allOf(ranges: readonly string[], form: RegExp): void {
  for (const range of ranges) demand(form.test(range), `${range} is not of the form ${form}`);
}
