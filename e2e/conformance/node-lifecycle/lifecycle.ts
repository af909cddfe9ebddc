import { metrics } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { gone, nodeStays, setReady, untilNode } from "../environment/objects.ts";
import { row, type Scenario } from "../environment/scenario.ts";
import { joined, noShutdownTaint, PERIOD_MS, shutdownTaint, stoppedNode } from "./objects.ts";

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
    await env.cloud.fault({ method: "GET", path: "/v1/instances*", latencyMs: 200 });
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
    // One read of all of them a period, and the refresh of addresses beside it.
    demand(reads <= 30, `${reads} reads in ten periods for 200 nodes`);
  },
);
