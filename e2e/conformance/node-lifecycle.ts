import { metrics } from "../harness/controller.ts";
import { always, demand, eventually, same } from "../harness/wait.ts";
import {
  countOf,
  createInstance,
  createNode,
  eventsOf,
  gone,
  hasTaint,
  initialised,
  internal,
  type NodeOptions,
  nodeStays,
  readsNaming,
  SHUTDOWN_KEY,
  seen,
  setReady,
  taintsOf,
  UNINITIALIZED,
  untilNode,
} from "./objects.ts";
import type { Scenario, World } from "./scenario.ts";

const SHUTDOWN = { key: SHUTDOWN_KEY, effect: "NoSchedule" };
const PERIOD_MS = 1_000;

/** Rows L-01 to L-27 and L-29 that share the default flags. */
export const NODE_LIFECYCLE: readonly Scenario[] = [
  deletedWhenGone("L-01", "False"),
  deletedWhenGone("L-02", "Unknown"),
  deletedWhenGone("L-03", "Missing"),
  {
    id: "L-04",
    title: "a Ready node is never deleted, and its absence is not even asked for",
    async run(world) {
      const id = await joined(world, "l-04", { ready: "True" });
      await world.cloud.remove(id);
      await nodeStays(world, "l-04", { check: noShutdownTaint });
      const { recent } = await world.cloud.calls();
      const single = recent.filter(
        (call) => call.path === `/v1/instances/${id}` && call.method === "GET",
      );
      // The refresh of addresses may read it; the lifecycle's two confirming reads a period may not be there.
      demand(single.length <= 2 * 7, `${single.length} single reads of a Ready node's instance`);
    },
  },
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
    id: "L-09",
    title: "while the cloud fails nothing is deleted, afterwards it is",
    async run(world) {
      const id = await joined(world, "l-09", { ready: "True" });
      const lift = await failing(world, "l-09", id);
      await world.cloud.remove(id);
      await setReady(world, "l-09", "False");
      await nodeStays(world, "l-09", { check: () => undefined, forMs: 6_000 });
      await lift();
      await gone(world, "l-09");
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
    id: "L-14",
    title: "stopped and then gone is gone",
    async run(world) {
      const id = await stoppedNode(world, "l-14");
      await world.cloud.remove(id);
      await gone(world, "l-14");
    },
  },
  {
    id: "L-19",
    title: "a refused deletion is told with its cause, and done once it is allowed",
    async run(world) {
      const id = await joined(world, "l-19", { ready: "True" });
      const accept = await world.cluster.refuse({
        name: "l-19",
        verb: "DELETE",
        node: "l-19",
        message: "this node is precious",
      });
      await world.cloud.remove(id);
      await setReady(world, "l-19", "False");
      await eventually(
        () => {
          const event = eventsOf(world, "l-19").find(
            ({ reason }) => reason === "DeletingNodeFailed",
          );
          demand(event !== undefined, "no DeletingNodeFailed event");
          same(event.type, "Warning", "its type");
          demand(
            event.message.includes("precious"),
            `it does not name the cause: ${event.message}`,
          );
        },
        { on: world.events },
      );
      await accept();
      await gone(world, "l-19", 60_000);
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
          demand(
            Number(line?.split(" ").at(-1) ?? 0) >= 1,
            `${calls} has no ${operation} ${result}`,
          );
        }
        const passes =
          /cloud_node_lifecycle_controller_monitor_nodes_duration_seconds_count(?:\{[^}]*\})? (\S+)/.exec(
            text,
          )?.[1];
        demand(Number(passes ?? 0) >= 1, "no pass was counted");
      });
    },
  },
  {
    id: "L-25",
    title: "an absence in the form of an error is an absence",
    async run(world) {
      const id = await joined(world, "l-25", { ready: "True" });
      await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: "l-25",
        status: 404,
      });
      await setReady(world, "l-25", "False");
      await gone(world, "l-25");
      demand(id !== "", "the instance had an id");
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
  {
    id: "L-27",
    title: "a fresh node that the cloud does not list yet is kept, and initialised later",
    async run(world) {
      await createNode(world, "l-27", { ready: "False" });
      await nodeStays(world, "l-27", { check: () => undefined, forMs: 6 * PERIOD_MS });
      await createInstance(world, "l-27", { addresses: [internal("10.127.0.1")] });
      await initialised(world, "l-27");
    },
  },
  {
    id: "L-29",
    title: "a node that is made again under the same name survives the old one's absence",
    async run(world) {
      const id = await joined(world, "l-29", { ready: "True" });
      const lift = await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: id,
        latencyMs: 1_500,
        status: 404,
      });
      await setReady(world, "l-29", "False");
      await eventually(async () =>
        demand((await readsNaming(world, id, "l-29")) >= 1, "not asked yet"),
      );
      await world.kube.delete("/api/v1/nodes/l-29");
      const again = await createNode(world, "l-29", { ready: "True", taints: [] });
      await always(
        () =>
          same(
            world.nodes.get("l-29")?.metadata.uid ?? again.metadata.uid,
            again.metadata.uid,
            "the UID",
          ),
        {
          forMs: 8_000,
          on: world.nodes,
        },
      );
      same(seen(world, "l-29").metadata.uid, again.metadata.uid, "the UID");
      await lift();
    },
  },
];

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
    const { code, output } = await world.startsAndEnds(["--concurrent-node-lifecycle-syncs=0"]);
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

function deletedWhenGone(id: string, ready: "False" | "Unknown" | "Missing"): Scenario {
  const name = id.toLowerCase();
  return {
    id,
    title: `a node whose Ready condition is ${ready} goes with its instance`,
    async run(world) {
      const instanceId = await joined(world, name, { ready });
      await world.cloud.remove(instanceId);
      await gone(world, name);
      await eventually(
        () => {
          const event = eventsOf(world, name).find(({ reason }) => reason === "DeletingNode");
          demand(event !== undefined, "no DeletingNode event");
          same(
            event.message,
            `Deleting node ${name} because it does not exist in the cloud provider`,
            "its message",
          );
          same(
            [event.type, countOf(eventsOf(world, name), "DeletingNode")],
            ["Normal", 1],
            "its type and count",
          );
        },
        { on: world.events },
      );
    },
  };
}

/** A node that is initialised, with its instance's id. */
async function joined(world: World, name: string, options: NodeOptions): Promise<string> {
  const numbers = name.replaceAll(/\D+/g, ".").split(".").filter(Boolean);
  const address = `10.${100 + Number(numbers[0])}.1.${Number(numbers[1] ?? 0) % 250}`;
  const instance = await createInstance(world, name, { addresses: [internal(address)] });
  await createNode(world, name, { ...options, taints: [...(options.taints ?? []), UNINITIALIZED] });
  await initialised(world, name);
  return instance.id;
}

async function stoppedNode(world: World, name: string, options: NodeOptions = {}): Promise<string> {
  const id = await joined(world, name, { ...options, ready: "True" });
  if (options.taints !== undefined)
    await editTaints(world, name, (taints) => merged(taints, options.taints ?? []));
  await world.cloud.stop(id);
  await setReady(world, name, "False");
  await untilNode(world, name, { check: shutdownTaint });
  return id;
}

type Taints = ReturnType<typeof taintsOf>;

function merged(taints: Taints, more: Taints): Taints {
  return [...taints.filter(({ key }) => !more.some((other) => other.key === key)), ...more];
}

/** As a careful client edits a list: on the revision that it read, again when that is past. */
async function editTaints(
  world: World,
  name: string,
  edit: (taints: Taints) => Taints,
): Promise<void> {
  await eventually(async () => {
    const node = await world.kube.get<ReturnType<typeof seen>>(`/api/v1/nodes/${name}`);
    await world.kube.patch(`/api/v1/nodes/${name}`, "merge", {
      metadata: { resourceVersion: node.metadata.resourceVersion },
      spec: { taints: edit(node.spec.taints ?? []) },
    });
  });
}

function failing(world: World, name: string, id: string): Promise<() => Promise<void>> {
  return world.cloud.fault(
    { method: "GET", path: "/v1/instances*", instance: name, status: 500 },
    { method: "GET", path: "/v1/instances*", instance: id, status: 500 },
  );
}

function bare({ key, value, effect }: { key: string; value?: string; effect: string }) {
  return value === undefined || value === "" ? { key, effect } : { key, value, effect };
}

function shutdownTaint(node: ReturnType<typeof seen>): void {
  const taints = taintsOf(node).filter(({ key }) => key === SHUTDOWN_KEY);
  same(taints.map(bare), [SHUTDOWN], "the shutdown taint");
}

function noShutdownTaint(node: ReturnType<typeof seen>): void {
  demand(!hasTaint(node, SHUTDOWN_KEY), "it has the shutdown taint");
}
