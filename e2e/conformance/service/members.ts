import { metrics } from "../../harness/controller.ts";
import type { Taint } from "../../harness/kube.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { createInstance, createNode, patchNode, setTaints } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { notTold, told } from "./evidence.ts";
import { hasMembers, onlyMembersSince, preparedBalancer } from "./membership.ts";
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
 * Rows about the nodes behind a balancer. They share the cluster's nodes, so that each looks at its own among the members;
 * those that must see no other node come and go are in `members-alone.ts`.
 */
export const SERVICE_MEMBERS: readonly Scenario[] = [
  {
    id: "S-17",
    title: "neither readiness nor cordon nor a missing provider ID keeps a node out",
    async run(world) {
      const well = await createMember(world, "s-17-a");
      const unready = await createMember(world, "s-17-b", { ready: "False" });
      const cordoned = await createMember(world, "s-17-c");
      await patchNode(world, "s-17-c", { spec: { unschedulable: true } });
      const { id: young } = await createInstance(world, "s-17-d");
      await createNode(world, "s-17-d", { taints: [UNINITIALIZED] });
      await createService(world, "s-17");
      await hasMembers(world, "s-17", { has: [well, unready, cordoned, young] });
    },
  },
  {
    id: "S-18",
    title: "the exclusion label counts by what its value says",
    async run(world) {
      const values = { b: "", c: "true", d: "false", e: "foo", f: "0" };
      const ids = new Map<string, string>();
      for (const [letter, value] of Object.entries(values))
        ids.set(
          letter,
          await createMember(world, `s-18-${letter}`, { labels: { [EXCLUDED]: value } }),
        );
      await createService(world, "s-18");
      const of = (...letters: string[]) => letters.map((letter) => ids.get(letter) ?? "");
      await hasMembers(world, "s-18", { has: of("d", "f"), lacks: of("b", "c", "e") });
    },
  },
  {
    id: "S-19",
    title: "a node that the autoscaler takes away is no member",
    async run(world) {
      const stays = await createMember(world, "s-19-a");
      const taints = [{ ...LEAVING, effect: "NoExecute" }];
      const leaves = await createMember(world, "s-19-b", { taints });
      await createService(world, "s-19");
      await hasMembers(world, "s-19", { has: [stays], lacks: [leaves] });
    },
  },
  {
    id: "S-20",
    title: "a node that is being deleted is no member",
    async run(world) {
      const stays = await createMember(world, "s-20-a");
      const leaves = await createMember(world, "s-20-b");
      await patchNode(world, "s-20-b", { metadata: { finalizers: ["x.example/y"] } });
      await world.kube.delete("/api/v1/nodes/s-20-b");
      await createService(world, "s-20");
      await hasMembers(world, "s-20", { has: [stays], lacks: [leaves] });
      await patchNode(world, "s-20-b", { metadata: { finalizers: null } });
    },
  },
  {
    id: "S-21",
    title:
      "a node that joins becomes a member by an update of the members alone; metrics tell (S-60)",
    async run(world) {
      const before = await preparedBalancer(world, "s-21");
      const joined = await createMember(world, "s-21-n9");
      await hasMembers(world, "s-21", { has: [joined] });
      await told(world, "s-21", ["UpdatedLoadBalancer"]);
      await onlyMembersSince(world, "s-21", before);
    },
  },
  {
    id: "S-22",
    title: "a node that is deleted is a member no more",
    async run(world) {
      const node = await createMember(world, "s-22-n");
      const before = await preparedBalancer(world, "s-22");
      await hasMembers(world, "s-22", { has: [node] });
      await world.kube.delete("/api/v1/nodes/s-22-n");
      await hasMembers(world, "s-22", { has: [], lacks: [node] });
      await onlyMembersSince(world, "s-22", before);
    },
  },
  {
    id: "S-23",
    title: "a node that is labelled as excluded leaves, and comes back when it is not",
    async run(world) {
      const node = await createMember(world, "s-23-n");
      const before = await preparedBalancer(world, "s-23");
      await hasMembers(world, "s-23", { has: [node] });
      await labelNode(world, "s-23-n", { [EXCLUDED]: "true" });
      await hasMembers(world, "s-23", { has: [], lacks: [node] });
      await labelNode(world, "s-23-n", { [EXCLUDED]: "false" });
      await hasMembers(world, "s-23", { has: [node] });
      await onlyMembersSince(world, "s-23", before);
    },
  },
  {
    id: "S-26",
    title: "a node without provider ID whose ID is set is a member under it",
    async run(world) {
      const before = await preparedBalancer(world, "s-26");
      await createNode(world, "s-26-n", { taints: [] });
      const { id } = await createInstance(world, "s-26-machine");
      await patchNode(world, "s-26-n", { spec: { providerID: `sandbox://${id}` } });
      await hasMembers(world, "s-26", { has: [id] });
      await onlyMembersSince(world, "s-26", before);
    },
  },
  {
    id: "S-30",
    title: "what another controller implements is not updated when nodes come, and not told of",
    async run(world) {
      const annotations = { "sandbox.cloudwright.io/implemented-elsewhere": "true" };
      await createService(world, "s-30", { annotations });
      await createService(world, "s-30-ours");
      await served(world, "s-30-ours");
      const node = await createMember(world, "s-30-n");
      await hasMembers(world, "s-30-ours", { has: [node] });
      same(changesOf(world, "s-30").length, 0, "changes in the cloud");
      notTold(world, "s-30", "UpdatedLoadBalancer", "UpdateLoadBalancerFailed");
      notTold(world, "s-30", "EnsuredLoadBalancer");
    },
  },
  {
    id: "S-60",
    title: "the metrics count member updates and their time",
    async run(world) {
      await preparedBalancer(world, "s-60");
      await hasMembers(world, "s-60", { has: [await createMember(world, "s-60-n")] });
      await eventually(async () => {
        const text = await metrics(world.securePort);
        for (const name of [
          "service_controller_loadbalancer_sync_total",
          "service_controller_nodesync_latency_seconds_count",
        ])
          demand(metricOf(text, name) >= 1, `${name} is ${metricOf(text, name)}`);
        demand(/workqueue_[a-z_]+\{[^}]*name="service"/.test(text), "no workqueue of services");
      });
    },
  },
  {
    id: "S-72",
    title: "a member that the autoscaler begins to take away leaves within 10 s",
    async run(world) {
      const node = await createMember(world, "s-72-n");
      const before = await preparedBalancer(world, "s-72");
      await hasMembers(world, "s-72", { has: [node] });
      await setTaints(world, "s-72-n", [LEAVING]);
      await hasMembers(world, "s-72", { has: [], lacks: [node], withinMs: 10_000 });
      await onlyMembersSince(world, "s-72", before);
    },
  },
];

function metricOf(text: string, name: string): number {
  const line = text
    .split("\n")
    .find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}
