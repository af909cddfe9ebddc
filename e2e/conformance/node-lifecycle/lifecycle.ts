import { metrics } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { gone, nodeStays, seen, setReady, taintsOf, untilNode } from "../environment/objects.ts";
import { row, rows, type Scenario } from "../environment/scenario.ts";
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

export const LIFECYCLE_METRICS: Scenario = row(
  "L-23",
  "calls and passes are counted under upstream's names",
  async (env) => {
    await stoppedNode(env, "l-23-a");
    const id = await joined(env, "l-23-b", { ready: "False" });
    await env.cloud.remove(id);
    await gone(env, "l-23-b");
    const calls = "cloud_node_lifecycle_controller_cloud_provider_calls_total";
    await eventually(async () => {
      const text = await metrics(env.securePort);
      for (const [operation, result] of [
        ["instance_exists", "instance_not_found"],
        ["instance_shutdown", "success"],
      ]) {
        const line = text
          .split("\n")
          .find(
            (candidate) =>
              candidate.startsWith(calls) &&
              candidate.includes(`"${operation}"`) &&
              candidate.includes(`"${result}"`),
          );
        demand(Number(line?.split(" ").at(-1) ?? 0) >= 1, `${calls} has no ${operation} ${result}`);
      }
      const passes =
        /cloud_node_lifecycle_controller_monitor_nodes_duration_seconds_count(?:\{[^}]*\})? (\S+)/.exec(
          text,
        )?.[1];
      demand(Number(passes ?? 0) >= 1, "no pass was counted");
    });
  },
);

export const CONCURRENT_LIFECYCLE: Scenario = row(
  "L-21",
  "50 nodes that are not Ready are all looked at within 3 s by a cloud that takes 200 ms",
  async (env) => {
    const names = Array.from({ length: 50 }, (_, index) => `l-21-${index}`);
    const ids = await Promise.all(names.map((name) => joined(env, name, { ready: "False" })));
    await Promise.all(ids.map((id) => env.cloud.stop(id)));
    await env.cloud.faultOnReads({ latencyMs: 200 });
    await Promise.all(
      names.map((name) =>
        untilNode(env, name, { withinMs: 3_000 + 3 * PERIOD_MS, check: shutdownTaint }),
      ),
    );
    const text = await metrics(env.securePort);
    const name = "cloud_node_lifecycle_controller_monitor_nodes_duration_seconds";
    const under = Number(
      new RegExp(`^${name}_bucket\\{le="4.096"[^}]*\\} (\\S+)$`, "m").exec(text)?.[1] ?? 0,
    );
    const all = Number(
      new RegExp(`^${name}_count(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1] ?? 0,
    );
    demand(all >= 1, "no pass was counted");
    same(under, all, "passes within 4 s");
  },
);

export const NO_LIFECYCLE_WORKERS: Scenario = row(
  "L-22",
  "zero lifecycle workers are refused by name",
  async (env) => {
    const { code, output } = await env.startsAndEnds({
      "--concurrent-node-lifecycle-syncs": "0",
    });
    same(code, 1, "the exit code");
    demand(
      output.includes("--concurrent-node-lifecycle-syncs"),
      `the message names no flag: ${output}`,
    );
  },
);

export const LIFECYCLE_OFF: Scenario = row(
  "L-24",
  "without the lifecycle controller the node of a gone instance stays",
  async (env) => {
    const id = await joined(env, "l-24", { ready: "True" });
    await env.cloud.remove(id);
    await setReady(env, "l-24", "False");
    await nodeStays(env, "l-24", { check: noShutdownTaint });
  },
);

export const QUIET_WHEN_UNREADY: Scenario = row(
  "L-30",
  "200 nodes that are not Ready cost batched reads that back off, and no write",
  async (env) => {
    const names = Array.from({ length: 200 }, (_, index) => `l-30-${index}`);
    await Promise.all(names.map((name) => joined(env, name, { ready: "False" })));
    const versions = () => names.map((name) => env.nodes.get(name)?.metadata.resourceVersion);
    await eventually(
      async () => {
        const before = versions();
        await always(() => same(versions(), before, "the resource versions"), {
          forMs: 2_000,
          on: env.nodes,
        });
      },
      { withinMs: 20_000 },
    );
    const before = versions();
    await env.cloud.forgetCalls();
    await always(() => same(versions(), before, "the resource versions"), {
      forMs: 10 * PERIOD_MS,
      on: env.nodes,
    });
    const { recent } = await env.cloud.calls();
    const reads = recent.filter((call) => call.method === "GET").length;
    demand(reads >= 1, "the cloud was not asked at all");
    // One read of all nodes per period, in addition to the refresh of addresses.
    demand(reads <= 30, `${reads} reads in ten periods for 200 nodes`);
  },
);

/** Rows L-05 to L-08, L-10 to L-13, L-20 and L-26: the shutdown taint of nodes whose instance is off. */
export const NODE_SHUTDOWN: readonly Scenario[] = rows({
  "L-05 a node that is not Ready while its instance runs is left alone": async (env) => {
    await joined(env, "l-05", { ready: "False" });
    await nodeStays(env, "l-05", { check: noShutdownTaint, forMs: 6_000 });
  },
  "L-06 a stopped instance gives the shutdown taint": async (env) => {
    await stoppedNode(env, "l-06");
    await nodeStays(env, "l-06", { check: shutdownTaint, forMs: 3_000 });
  },
  "L-07 a node that is Ready again loses the shutdown taint": async (env) => {
    await stoppedNode(env, "l-07");
    await setReady(env, "l-07", "True");
    await untilNode(env, "l-07", { check: noShutdownTaint });
  },
  "L-08 a Ready node gets no shutdown taint": async (env) => {
    const id = await joined(env, "l-08", { ready: "True" });
    await env.cloud.stop(id);
    await nodeStays(env, "l-08", { check: noShutdownTaint });
  },
  "L-10 while the power state cannot be read there is no taint, afterwards there is": async (
    env,
  ) => {
    const id = await joined(env, "l-10", { ready: "True" });
    const lift = await failing(env, "l-10", id);
    await env.cloud.stop(id);
    await setReady(env, "l-10", "False");
    await nodeStays(env, "l-10", { check: noShutdownTaint, forMs: 5_000 });
    await lift();
    await untilNode(env, "l-10", { check: shutdownTaint });
  },
  "L-11 a tainted node whose instance stays stopped is not written again": async (env) => {
    await stoppedNode(env, "l-11");
    const version = seen(env, "l-11").metadata.resourceVersion;
    await nodeStays(env, "l-11", {
      forMs: 5 * PERIOD_MS,
      check: (node) => same(node.metadata.resourceVersion, version, "the resource version"),
    });
  },
  "L-12 other taints stay when the shutdown taint comes and goes": async (env) => {
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
  },
  "L-13 a shutdown taint with a value becomes the one without": async (env) => {
    await stoppedNode(env, "l-13", { taints: [{ ...SHUTDOWN, value: "x" }] });
    await untilNode(env, "l-13", {
      check: (node) => same(taintsOf(node).map(bare), [SHUTDOWN], "the taints"),
    });
  },
  "L-20 taints that another client edits at the same time are all there at the end": async (
    env,
  ) => {
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
  "L-26 the shutdown taint goes when the instance runs again, Ready or not": async (env) => {
    const id = await stoppedNode(env, "l-26");
    await env.cloud.start(id);
    await untilNode(env, "l-26", { check: noShutdownTaint });
  },
});
