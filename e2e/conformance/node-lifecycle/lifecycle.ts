import { metrics } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { gone, nodeStays, setReady, untilNode } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { joined, noShutdownTaint, PERIOD_MS, shutdownTaint, stoppedNode } from "./objects.ts";

export const LIFECYCLE_METRICS: Scenario = {
  id: "L-23",
  title: "calls and passes are counted under upstream's names",
  async run(world) {
    await stoppedNode(world, "l-23-a");
    const id = await joined(world, "l-23-b", { ready: "False" });
    await world.cloud.remove(id);
    await gone(world, "l-23-b");
    const calls = "cloud_node_lifecycle_controller_cloud_provider_calls_total";
    await eventually(async () => {
      const text = await metrics(world.securePort);
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
};

export const CONCURRENT_LIFECYCLE: Scenario = {
  id: "L-21",
  title: "50 nodes that are not Ready are all looked at within 3 s by a cloud that takes 200 ms",
  async run(world) {
    const names = Array.from({ length: 50 }, (_, index) => `l-21-${index}`);
    const ids = await Promise.all(names.map((name) => joined(world, name, { ready: "False" })));
    await Promise.all(ids.map((id) => world.cloud.stop(id)));
    await world.cloud.fault({ method: "GET", path: "/v1/instances*", latencyMs: 200 });
    await Promise.all(
      names.map((name) =>
        untilNode(world, name, { withinMs: 3_000 + 3 * PERIOD_MS, check: shutdownTaint }),
      ),
    );
    const text = await metrics(world.securePort);
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
};

export const NO_LIFECYCLE_WORKERS: Scenario = {
  id: "L-22",
  title: "zero lifecycle workers are refused by name",
  async run(world) {
    const { code, output } = await world.startsAndEnds({
      "--concurrent-node-lifecycle-syncs": "0",
    });
    same(code, 1, "the exit code");
    demand(
      output.includes("--concurrent-node-lifecycle-syncs"),
      `the message names no flag: ${output}`,
    );
  },
};

export const LIFECYCLE_OFF: Scenario = {
  id: "L-24",
  title: "without the lifecycle controller the node of a gone instance stays",
  async run(world) {
    const id = await joined(world, "l-24", { ready: "True" });
    await world.cloud.remove(id);
    await setReady(world, "l-24", "False");
    await nodeStays(world, "l-24", { check: noShutdownTaint });
  },
};

export const QUIET_WHEN_UNREADY: Scenario = {
  id: "L-30",
  title: "200 nodes that are not Ready cost batched reads that back off, and no write",
  async run(world) {
    const names = Array.from({ length: 200 }, (_, index) => `l-30-${index}`);
    await Promise.all(names.map((name) => joined(world, name, { ready: "False" })));
    const versions = () => names.map((name) => world.nodes.get(name)?.metadata.resourceVersion);
    await eventually(
      async () => {
        const before = versions();
        await always(() => same(versions(), before, "the resource versions"), {
          forMs: 2_000,
          on: world.nodes,
        });
      },
      { withinMs: 20_000 },
    );
    const before = versions();
    await world.cloud.forgetCalls();
    await always(() => same(versions(), before, "the resource versions"), {
      forMs: 10 * PERIOD_MS,
      on: world.nodes,
    });
    const { recent } = await world.cloud.calls();
    const reads = recent.filter((call) => call.method === "GET").length;
    demand(reads >= 1, "the cloud was not asked at all");
    // One read of all of them a period, and the refresh of addresses beside it.
    demand(reads <= 30, `${reads} reads in ten periods for 200 nodes`);
  },
};
