import { same } from "../../harness/wait.ts";
import { nodeStays, seen, setReady, taintsOf, untilNode } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import {
  bare,
  editTaints,
  failing,
  joined,
  noShutdownTaint,
  PERIOD_MS,
  SHUTDOWN,
  shutdownTaint,
  stoppedNode,
} from "./objects.ts";

/** Rows L-05 to L-08, L-10 to L-13, L-20 and L-26: the shutdown taint of nodes whose instance is off. */
export const NODE_SHUTDOWN: readonly Scenario[] = [
  {
    id: "L-05",
    title: "a node that is not Ready while its instance runs is left alone",
    async run(world) {
      await joined(world, "l-05", { ready: "False" });
      await nodeStays(world, "l-05", { check: noShutdownTaint, forMs: 6_000 });
    },
  },
  {
    id: "L-06",
    title: "a stopped instance gives the shutdown taint",
    async run(world) {
      await stoppedNode(world, "l-06");
      await nodeStays(world, "l-06", { check: shutdownTaint, forMs: 3_000 });
    },
  },
  {
    id: "L-07",
    title: "a node that is Ready again loses the shutdown taint",
    async run(world) {
      await stoppedNode(world, "l-07");
      await setReady(world, "l-07", "True");
      await untilNode(world, "l-07", { check: noShutdownTaint });
    },
  },
  {
    id: "L-08",
    title: "a Ready node gets no shutdown taint",
    async run(world) {
      const id = await joined(world, "l-08", { ready: "True" });
      await world.cloud.stop(id);
      await nodeStays(world, "l-08", { check: noShutdownTaint });
    },
  },
  {
    id: "L-10",
    title: "while the power state cannot be read there is no taint, afterwards there is",
    async run(world) {
      const id = await joined(world, "l-10", { ready: "True" });
      const lift = await failing(world, "l-10", id);
      await world.cloud.stop(id);
      await setReady(world, "l-10", "False");
      await nodeStays(world, "l-10", { check: noShutdownTaint, forMs: 5_000 });
      await lift();
      await untilNode(world, "l-10", { check: shutdownTaint });
    },
  },
  {
    id: "L-11",
    title: "a tainted node whose instance stays stopped is not written again",
    async run(world) {
      await stoppedNode(world, "l-11");
      const version = seen(world, "l-11").metadata.resourceVersion;
      await nodeStays(world, "l-11", {
        forMs: 5 * PERIOD_MS,
        check: (node) => same(node.metadata.resourceVersion, version, "the resource version"),
      });
    },
  },
  {
    id: "L-12",
    title: "other taints stay when the shutdown taint comes and goes",
    async run(world) {
      const other = { key: "mine", value: "1", effect: "NoExecute" };
      await stoppedNode(world, "l-12", { taints: [other] });
      same(
        taintsOf(seen(world, "l-12")).filter((taint) => taint.key === "mine"),
        [other],
        "the other taint",
      );
      await setReady(world, "l-12", "True");
      const node = await untilNode(world, "l-12", { check: noShutdownTaint });
      same(taintsOf(node), [other], "the taints");
    },
  },
  {
    id: "L-13",
    title: "a shutdown taint with a value becomes the one without",
    async run(world) {
      await stoppedNode(world, "l-13", { taints: [{ ...SHUTDOWN, value: "x" }] });
      await untilNode(world, "l-13", {
        check: (node) => same(taintsOf(node).map(bare), [SHUTDOWN], "the taints"),
      });
    },
  },
  {
    id: "L-20",
    title: "taints that another client edits at the same time are all there at the end",
    async run(world) {
      const id = await joined(world, "l-20", { ready: "True" });
      await world.cloud.stop(id);
      await setReady(world, "l-20", "False");
      for (let count = 0; count < 20; count++) {
        const mine = { key: "edit", value: String(count), effect: "NoExecute" };
        await editTaints(world, "l-20", (taints) => [
          ...taints.filter(({ key }) => key !== "edit"),
          mine,
        ]);
      }
      await untilNode(world, "l-20", {
        check: (node) => {
          shutdownTaint(node);
          same(
            taintsOf(node).find(({ key }) => key === "edit")?.value,
            "19",
            "the other client's taint",
          );
        },
      });
    },
  },
  {
    id: "L-26",
    title: "the shutdown taint goes when the instance runs again, Ready or not",
    async run(world) {
      const id = await stoppedNode(world, "l-26");
      await world.cloud.start(id);
      await untilNode(world, "l-26", { check: noShutdownTaint });
    },
  },
];
