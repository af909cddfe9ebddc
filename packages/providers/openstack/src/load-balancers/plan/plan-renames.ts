import type { CloudChange, LoadBalancerOwner } from "@cloudwright/provider-api";
import { bodyOf, changeOf } from "../changes.ts";
import type { LoadBalancerTree } from "../observed.ts";
import { isFormerName, loadBalancerName } from "../ownership.ts";
import { sendOf } from "../tree-change.ts";

interface Child {
  readonly kind: "listener" | "pool" | "healthmonitor";
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}

/** Renames the parts of a load balancer that contain the cluster's former name (spec §6.2). */
export function planRenames(
  loadBalancer: LoadBalancerTree,
  owner: LoadBalancerOwner,
): readonly CloudChange[] {
  const { name: former, inside } = loadBalancer;
  const name = loadBalancerName(owner);
  if (inside === undefined || former === name || !isFormerName(former, owner)) return [];
  const monitors = inside.pools.flatMap(({ monitor }) => (monitor === undefined ? [] : [monitor]));
  const children: readonly Child[] = [
    ...inside.listeners.map((one) => ({ ...one, kind: "listener" }) as const),
    ...inside.pools.map((one) => ({ ...one, kind: "pool", tags: [] }) as const),
    ...monitors.map((one) => ({ ...one, kind: "healthmonitor", tags: [] }) as const),
  ];
  const renamed = (text: string) => text.replace(former, name).slice(0, 255);
  return children.flatMap(({ id, kind, name: before, tags }) => {
    const hasFormerTag = tags.includes(former);
    if (renamed(before) === before && !hasFormerTag) return [];
    const after = {
      name: renamed(before),
      ...(hasFormerTag ? { tags: tags.map((tag) => (tag === former ? name : tag)) } : {}),
    };
    return [
      changeOf(
        { action: "update", what: kind, target: id, before: { name: before }, after },
        sendOf(loadBalancer, {
          ...{ method: "PUT", resource: kind, path: `${kind}s/${id}` },
          body: bodyOf({ [kind]: after }),
        }),
      ),
    ];
  });
}
