import { metrics } from "../../harness/controller.ts";
import type { Taint } from "../../harness/kube.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { createInstance, createNode, patchNode, setTaints } from "../environment/objects.ts";
import { rows, type Scenario } from "../environment/scenario.ts";
import {
  hasMembers,
  notReported,
  onlyMembersSince,
  preparedLoadBalancer,
  reported,
} from "./evidence.ts";
import {
  changesOf,
  createMember,
  createService,
  EXCLUDED,
  LEAVING,
  labelNode,
  served,
} from "./objects.ts";

const UNINITIALIZED: Taint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
};

/**
 * Rows about the nodes behind a load balancer. They share the cluster's nodes, so each checks only its own among the members;
 * rows during which no other node may come and go are in `members-alone.ts`.
 */
export const SERVICE_MEMBERS: readonly Scenario[] = rows({
  "S-17 neither readiness nor cordon nor a missing provider ID keeps a node out": async (env) => {
    const well = await createMember(env, "s-17-a");
    const unready = await createMember(env, "s-17-b", { ready: "False" });
    const cordoned = await createMember(env, "s-17-c");
    await patchNode(env, "s-17-c", { spec: { unschedulable: true } });
    const { id: young } = await createInstance(env, "s-17-d");
    await createNode(env, "s-17-d", { taints: [UNINITIALIZED] });
    await createService(env, "s-17");
    await hasMembers(env, "s-17", { has: [well, unready, cordoned, young] });
  },
  "S-18 the exclusion label counts by what its value says": async (env) => {
    const values = { b: "", c: "true", d: "false", e: "foo", f: "0" };
    const ids = new Map<string, string>();
    for (const [letter, value] of Object.entries(values))
      ids.set(letter, await createMember(env, `s-18-${letter}`, { labels: { [EXCLUDED]: value } }));
    await createService(env, "s-18");
    const of = (...letters: string[]) => letters.map((letter) => ids.get(letter) ?? "");
    await hasMembers(env, "s-18", { has: of("d", "f"), lacks: of("b", "c", "e") });
  },
  "S-19 a node that the autoscaler takes away is no member": async (env) => {
    const stays = await createMember(env, "s-19-a");
    const taints = [{ ...LEAVING, effect: "NoExecute" }];
    const leaves = await createMember(env, "s-19-b", { taints });
    await createService(env, "s-19");
    await hasMembers(env, "s-19", { has: [stays], lacks: [leaves] });
  },
  "S-20 a node that is being deleted is no member": async (env) => {
    const stays = await createMember(env, "s-20-a");
    const leaves = await createMember(env, "s-20-b");
    await patchNode(env, "s-20-b", { metadata: { finalizers: ["x.example/y"] } });
    await env.kube.delete("/api/v1/nodes/s-20-b");
    await createService(env, "s-20");
    await hasMembers(env, "s-20", { has: [stays], lacks: [leaves] });
    await patchNode(env, "s-20-b", { metadata: { finalizers: null } });
  },
  "S-21 a node that joins becomes a member by an update of the members alone; metrics show it (S-60)":
    async (env) => {
      const before = await preparedLoadBalancer(env, "s-21");
      const joined = await createMember(env, "s-21-n9");
      await hasMembers(env, "s-21", { has: [joined] });
      await reported(env, "s-21", ["UpdatedLoadBalancer"]);
      await onlyMembersSince(env, "s-21", before);
    },
  "S-22 a node that is deleted is a member no more": async (env) => {
    const node = await createMember(env, "s-22-n");
    const before = await preparedLoadBalancer(env, "s-22");
    await hasMembers(env, "s-22", { has: [node] });
    await env.kube.delete("/api/v1/nodes/s-22-n");
    await hasMembers(env, "s-22", { has: [], lacks: [node] });
    await onlyMembersSince(env, "s-22", before);
  },
  "S-23 a node that is labelled as excluded leaves, and comes back when it is not": async (env) => {
    const node = await createMember(env, "s-23-n");
    const before = await preparedLoadBalancer(env, "s-23");
    await hasMembers(env, "s-23", { has: [node] });
    await labelNode(env, "s-23-n", { [EXCLUDED]: "true" });
    await hasMembers(env, "s-23", { has: [], lacks: [node] });
    await labelNode(env, "s-23-n", { [EXCLUDED]: "false" });
    await hasMembers(env, "s-23", { has: [node] });
    await onlyMembersSince(env, "s-23", before);
  },
  "S-26 a node without provider ID whose ID is set is a member under it": async (env) => {
    const before = await preparedLoadBalancer(env, "s-26");
    await createNode(env, "s-26-n", { taints: [] });
    const { id } = await createInstance(env, "s-26-machine");
    await patchNode(env, "s-26-n", { spec: { providerID: `sandbox://${id}` } });
    await hasMembers(env, "s-26", { has: [id] });
    await onlyMembersSince(env, "s-26", before);
  },
  "S-30 what another controller implements is not updated when nodes come, and not reported":
    async (env) => {
      const annotations = { "sandbox.cloudwright.io/implemented-elsewhere": "true" };
      await createService(env, "s-30", { annotations });
      await createService(env, "s-30-ours");
      await served(env, "s-30-ours");
      const node = await createMember(env, "s-30-n");
      await hasMembers(env, "s-30-ours", { has: [node] });
      same(changesOf(env, "s-30").length, 0, "changes in the cloud");
      notReported(env, "s-30", "UpdatedLoadBalancer", "UpdateLoadBalancerFailed");
      notReported(env, "s-30", "EnsuredLoadBalancer");
    },
  "S-60 the metrics count member updates and their time": async (env) => {
    await preparedLoadBalancer(env, "s-60");
    await hasMembers(env, "s-60", { has: [await createMember(env, "s-60-n")] });
    await eventually(async () => {
      const text = await metrics(env.securePort);
      for (const name of [
        "service_controller_loadbalancer_sync_total",
        "service_controller_nodesync_latency_seconds_count",
      ])
        demand(metricOf(text, name) >= 1, `${name} is ${metricOf(text, name)}`);
      demand(/workqueue_[a-z_]+\{[^}]*name="service"/.test(text), "no workqueue of services");
    });
  },
  "S-72 a member that the autoscaler begins to take away leaves within 10 s": async (env) => {
    const node = await createMember(env, "s-72-n");
    const before = await preparedLoadBalancer(env, "s-72");
    await hasMembers(env, "s-72", { has: [node] });
    await setTaints(env, "s-72-n", [LEAVING]);
    await hasMembers(env, "s-72", { has: [], lacks: [node], withinMs: 10_000 });
    await onlyMembersSince(env, "s-72", before);
  },
});

function metricOf(text: string, name: string): number {
  const line = text
    .split("\n")
    .find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}
