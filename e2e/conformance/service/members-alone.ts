import { always, demand, eventually, same } from "../../harness/wait.ts";
import { patchNode, setReady } from "../environment/objects.ts";
import type { Scenario, World } from "../environment/scenario.ts";
import { eventCount, told, warnedOf } from "./evidence.ts";
import { failMembersOnce, hasMembers } from "./membership.ts";
import {
  balancerFor,
  changesOf,
  createMember,
  createService,
  isMembersOnly,
  labelNode,
  preparedService,
  served,
  untilBalancer,
} from "./objects.ts";

/** Rows that may see no other row's nodes come and go, but do not disturb each other. */
export const QUIET_NODES: readonly Scenario[] = [
  {
    id: "S-24",
    title: "a node that is not ready and then is again changes nothing",
    async run(world) {
      await preparedService(world, "s-24");
      await preparedService(world, "s-24-b");
      await untilAllIn(world, ["s-24", "s-24-b"]);
      const before = changesOf(world, "s-24").length;
      await setReady(world, "s-00", "False");
      await always(() => same(changesOf(world, "s-24").length, before, "changes"), {
        forMs: 5_000,
      });
      await setReady(world, "s-00", "True");
      await always(() => same(changesOf(world, "s-24").length, before, "changes"), {
        forMs: 5_000,
      });
    },
  },
  {
    id: "S-25",
    title: "labels, taints and addresses of no interest change nothing",
    async run(world) {
      await preparedService(world, "s-25");
      await untilAllIn(world, ["s-25"]);
      const before = changesOf(world, "s-25").length;
      await labelNode(world, "s-00", { "example.com/any": "label" });
      await patchNode(world, "s-00", {
        spec: { taints: [{ key: "example.com/any", value: "x", effect: "NoSchedule" }] },
      });
      const addresses = [{ type: "InternalIP", address: "10.90.0.25" }];
      await world.kube.patch("/api/v1/nodes/s-00/status", "merge", { status: { addresses } });
      await always(() => same(changesOf(world, "s-25").length, before, "changes"), {
        forMs: 10_000,
      });
    },
  },
];

/** Rows about all nodes of the cluster: one after the other, in a cluster that begins without any. */
export const ALL_NODES: readonly Scenario[] = [
  {
    id: "S-16",
    title: "without any node there is a balancer without members, and a warning",
    async run(world) {
      await createService(world, "s-16");
      await served(world, "s-16");
      same((await balancerFor(world, "s-16")).members, [], "the members");
      await warnedOf(world, "s-16", ["UnAvailableLoadBalancer"]);
      await told(world, "s-16", ["EnsuredLoadBalancer"]);
    },
  },
  {
    id: "S-27",
    title: "when the last node goes the balancer is left without members, and that is told",
    async run(world) {
      const node = await createMember(world, "s-27-n");
      await createService(world, "s-27");
      await served(world, "s-27");
      await hasMembers(world, "s-27", { has: [node] });
      const warnings = eventCount(world, "s-27", "UnAvailableLoadBalancer");
      await world.kube.delete("/api/v1/nodes/s-27-n");
      await untilBalancer(world, "s-27", { check: ({ members }) => same(members, [], "members") });
      await eventually(() =>
        demand(
          eventCount(world, "s-27", "UnAvailableLoadBalancer") > warnings,
          "it was not told that no node is left",
        ),
      );
    },
  },
  {
    id: "S-28",
    title: "a node that joins three Services' balancers is three updates",
    async run(world) {
      const names = ["s-28-a", "s-28-b", "s-28-c"];
      for (const name of names) await createService(world, name);
      await createService(world, "s-28-d", { spec: { type: "ClusterIP" } });
      for (const name of names) await served(world, name);
      const before = names.map((name) => changesOf(world, name).length);
      const node = await createMember(world, "s-28-n");
      for (const name of names) await hasMembers(world, name, { has: [node] });
      await always(
        () => {
          for (const [index, name] of names.entries()) {
            const since = changesOf(world, name).slice(before[index]);
            same(since.map(isMembersOnly), [true], `updates of ${name}`);
          }
          same(changesOf(world, "s-28-d").length, 0, "changes for the ClusterIP");
        },
        { forMs: 4_000 },
      );
    },
  },
  {
    id: "S-29",
    title:
      "an update of the members that fails is told with their names, and everything is ensured at once",
    async run(world) {
      await servedWithNode(world, "s-29");
      failMembersOnce(world, "s-29");
      const node = await createMember(world, "s-29-n");
      await warnedOf(world, "s-29", ["UpdateLoadBalancerFailed", "s-29-n"]);
      await hasMembers(world, "s-29", { has: [node], withinMs: 5_000 });
    },
  },
  {
    id: "S-31",
    title: "of 25 nodes at most 20 are named when their update fails, and the total",
    async run(world) {
      await createService(world, "s-31");
      await served(world, "s-31");
      const names = Array.from({ length: 25 }, (_, index) => `s-31-n${index}`);
      await Promise.all(names.map((name) => createMember(world, name)));
      await untilBalancer(world, "s-31", {
        check: ({ members }) => same(members.length, world.nodes.all().length, "the members"),
      });
      failMembersOnce(world, "s-31");
      await createMember(world, "s-31-last");
      const { message } = await warnedOf(world, "s-31", ["UpdateLoadBalancerFailed", "more"]);
      const named = message.match(/\bs-\d\d-[a-z0-9-]+/g) ?? [];
      demand(named.length <= 20, `it names ${named.length} nodes: ${message}`);
      const total = `total number of nodes: ${world.nodes.all().length}`;
      demand(message.includes(total), `"${total}" is not in: ${message}`);
    },
  },
];

/** It has a member, so that one more is an update of the members. */
async function servedWithNode(world: World, name: string): Promise<void> {
  const node = await createMember(world, `${name}-first`);
  await createService(world, name);
  await served(world, name);
  await hasMembers(world, name, { has: [node] });
}

/** All that there is to do about the standing node is done. */
async function untilAllIn(world: World, names: readonly string[]): Promise<void> {
  for (const name of names)
    await untilBalancer(world, name, {
      check: ({ members }) => same(members.length, 1, `the members of ${name}`),
    });
}
