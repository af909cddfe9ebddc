import { same } from "../../harness/wait.ts";
import { nodeStays, seen, setReady, taintsOf, untilNode } from "../environment/objects.ts";
import { row, type Scenario } from "../environment/scenario.ts";
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
  row("L-05", "a node that is not Ready while its instance runs is left alone", async (env) => {
    await joined(env, "l-05", { ready: "False" });
    await nodeStays(env, "l-05", { check: noShutdownTaint, forMs: 6_000 });
  }),
  row("L-06", "a stopped instance gives the shutdown taint", async (env) => {
    await stoppedNode(env, "l-06");
    await nodeStays(env, "l-06", { check: shutdownTaint, forMs: 3_000 });
  }),
  row("L-07", "a node that is Ready again loses the shutdown taint", async (env) => {
    await stoppedNode(env, "l-07");
    await setReady(env, "l-07", "True");
    await untilNode(env, "l-07", { check: noShutdownTaint });
  }),
  row("L-08", "a Ready node gets no shutdown taint", async (env) => {
    const id = await joined(env, "l-08", { ready: "True" });
    await env.cloud.stop(id);
    await nodeStays(env, "l-08", { check: noShutdownTaint });
  }),
  row(
    "L-10",
    "while the power state cannot be read there is no taint, afterwards there is",
    async (env) => {
      const id = await joined(env, "l-10", { ready: "True" });
      const lift = await failing(env, "l-10", id);
      await env.cloud.stop(id);
      await setReady(env, "l-10", "False");
      await nodeStays(env, "l-10", { check: noShutdownTaint, forMs: 5_000 });
      await lift();
      await untilNode(env, "l-10", { check: shutdownTaint });
    },
  ),
  row("L-11", "a tainted node whose instance stays stopped is not written again", async (env) => {
    await stoppedNode(env, "l-11");
    const version = seen(env, "l-11").metadata.resourceVersion;
    await nodeStays(env, "l-11", {
      forMs: 5 * PERIOD_MS,
      check: (node) => same(node.metadata.resourceVersion, version, "the resource version"),
    });
  }),
  row("L-12", "other taints stay when the shutdown taint comes and goes", async (env) => {
    const other = { key: "mine", value: "1", effect: "NoExecute" };
    await stoppedNode(env, "l-12", { taints: [other] });
    same(
      taintsOf(seen(env, "l-12")).filter((taint) => taint.key === "mine"),
      [other],
      "the other taint",
    );
    await setReady(env, "l-12", "True");
    const node = await untilNode(env, "l-12", { check: noShutdownTaint });
    same(taintsOf(node), [other], "the taints");
  }),
  row("L-13", "a shutdown taint with a value becomes the one without", async (env) => {
    await stoppedNode(env, "l-13", { taints: [{ ...SHUTDOWN, value: "x" }] });
    await untilNode(env, "l-13", {
      check: (node) => same(taintsOf(node).map(bare), [SHUTDOWN], "the taints"),
    });
  }),
  row(
    "L-20",
    "taints that another client edits at the same time are all there at the end",
    async (env) => {
      const id = await joined(env, "l-20", { ready: "True" });
      await env.cloud.stop(id);
      await setReady(env, "l-20", "False");
      for (let count = 0; count < 20; count++) {
        const mine = { key: "edit", value: String(count), effect: "NoExecute" };
        await editTaints(env, "l-20", (taints) => [
          ...taints.filter(({ key }) => key !== "edit"),
          mine,
        ]);
      }
      await untilNode(env, "l-20", {
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
  ),
  row("L-26", "the shutdown taint goes when the instance runs again, Ready or not", async (env) => {
    const id = await stoppedNode(env, "l-26");
    await env.cloud.start(id);
    await untilNode(env, "l-26", { check: noShutdownTaint });
  }),
];
