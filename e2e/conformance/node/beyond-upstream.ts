import { demand, eventually, same } from "../../harness/wait.ts";
import {
  createInstance,
  createNode,
  eventsOf,
  hasTaint,
  hostname,
  initialised,
  internal,
  keepsTaint,
  labelsOf,
  nodeStays,
  patchNode,
  prepared,
  seen,
  TYPE,
  UNINITIALIZED,
  untilNode,
  ZONE,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

/** Rows N-43 to N-49 and N-52: what upstream gets wrong and we get right. */
export const NODE_BEYOND_UPSTREAM: readonly Scenario[] = [
  {
    id: "N-43",
    title: "a resized instance changes both type labels",
    async run(world) {
      const instance = await prepared(world, "n-43");
      await world.cloud.change(instance.id, { type: "m2" });
      await untilNode(world, "n-43", {
        withinMs: 8_000,
        check: (node) => same(labelsOf(node, TYPE), ["m2", "m2"], "the types"),
      });
    },
  },
  {
    id: "N-44",
    title: "both zone labels come back after a person removed them",
    async run(world) {
      await prepared(world, "n-44");
      await patchNode(world, "n-44", {
        metadata: { labels: { [ZONE[0]]: null, [ZONE[1]]: null } },
      });
      await untilNode(world, "n-44", {
        withinMs: 8_000,
        check: (node) => same(labelsOf(node, ZONE), ["z1", "z1"], "the zones"),
      });
    },
  },
  {
    id: "N-45",
    title: "additional labels follow the cloud, others are untouched",
    async run(world) {
      const instance = await createInstance(world, "n-45", {
        addresses: [internal("10.45.0.1")],
        labels: { "my.io/a": "1", "my.io/gone": "1" },
      });
      await createNode(world, "n-45", { labels: { "user.io/own": "kept" } });
      await initialised(world, "n-45");
      await world.cloud.change(instance.id, { labels: { "my.io/a": "2", "my.io/b": "3" } });
      const keys = ["my.io/a", "my.io/b", "user.io/own"];
      await untilNode(world, "n-45", {
        withinMs: 8_000,
        check: (node) => same(labelsOf(node, keys), ["2", "3", "kept"], "the labels"),
      });
    },
  },
  {
    id: "N-46",
    title: "a node that waits has a Warning event with the cause, and the ledger lists it",
    async run(world) {
      await createInstance(world, "n-46", { addresses: [internal("10.46.0.1")] });
      const lift = await world.cloud.fault({
        method: "GET",
        path: "/v1/instances*",
        instance: "n-46",
        status: 500,
      });
      await createNode(world, "n-46");
      await eventually(
        () => {
          const warning = eventsOf(world, "n-46").find((event) => event.type === "Warning");
          demand(warning !== undefined, "no Warning event");
          demand(
            warning.message.includes("500"),
            `the event does not name the cause: ${warning.message}`,
          );
        },
        { on: world.events },
      );
      await eventually(async () => {
        const runs = await world.history(["--object", "n-46"]);
        demand(
          runs.some((run) => run.outcome === "failed"),
          `the ledger has no failed run: ${JSON.stringify(runs)}`,
        );
      });
      keepsTaint(seen(world, "n-46"));
      await lift();
      await initialised(world, "n-46");
    },
  },
  {
    id: "N-48",
    title: "two InternalIPs and nothing changes: nothing is written",
    async run(world) {
      const addresses = [internal("10.48.0.1"), internal("fd00:48::1")];
      await createInstance(world, "n-48", { addresses });
      await createNode(world, "n-48");
      const node = await initialised(world, "n-48");
      same(node.status.addresses, [...addresses, hostname("n-48")], "the addresses");
      const version = seen(world, "n-48").metadata.resourceVersion;
      const writes = await world.cluster.writes("nodes", "n-48");
      await nodeStays(world, "n-48", {
        forMs: 11_000,
        check: (current) => same(current.metadata.resourceVersion, version, "the resource version"),
      });
      same(await world.cluster.writes("nodes", "n-48"), writes, "writes to the node");
    },
  },
  {
    id: "N-49",
    title: "an instance that is claimed no more breaks nothing",
    async run(world) {
      const instance = await prepared(world, "n-49");
      const before = seen(world, "n-49").status.addresses;
      await world.cloud.change(instance.id, { managed: false });
      await nodeStays(world, "n-49", {
        forMs: 6_000,
        check: (node) => same(node.status.addresses, before, "the addresses"),
      });
      demand(world.controller.child.exitCode === null, "the controller ended");
    },
  },
  {
    id: "N-52",
    title:
      "a node that is there before its instance waits with a stated cause and is initialised soon after",
    async run(world) {
      await createNode(world, "n-52", { ready: "False" });
      await nodeStays(world, "n-52", { check: keepsTaint, forMs: 20_000 });
      await eventually(
        () => demand(eventsOf(world, "n-52").length > 0, "no event states a cause"),
        { on: world.events },
      );
      await createInstance(world, "n-52", { addresses: [internal("10.52.0.1")] });
      await initialised(world, "n-52", 5_000);
    },
  },
];

export const REFUSED_ADDRESSES: Scenario = {
  id: "N-47",
  title: "a refused address patch is tried again long before the next refresh",
  async run(world) {
    await createInstance(world, "n-47", { addresses: [internal("10.47.0.1")] });
    const lift = await world.cloud.fault({
      method: "GET",
      path: "/v1/instances*",
      instance: "n-47",
      status: 500,
    });
    await createNode(world, "n-47");
    const accept = await world.cluster.refuse({
      name: "n-47",
      verb: "PATCH_STATUS",
      node: "n-47",
      message: "addresses are frozen",
    });
    await lift();
    await eventually(
      () =>
        demand(
          eventsOf(world, "n-47").some((event) => event.message.includes("addresses are frozen")),
          "no event names the refusal",
        ),
      { on: world.events },
    );
    await accept();
    await untilNode(world, "n-47", {
      withinMs: 10_000,
      check: (node) => {
        same(node.status.addresses, [internal("10.47.0.1"), hostname("n-47")], "the addresses");
        demand(!hasTaint(node, UNINITIALIZED.key), "the taint is still there");
      },
    });
  },
};

export const THROTTLED: Scenario = {
  id: "N-51",
  title: "after a 429 no read leaves before Retry-After has passed",
  async run(world) {
    const names = ["a", "b", "c", "d", "e"].map((letter) => `n-51-${letter}`);
    for (const [index, name] of names.entries()) {
      await createInstance(world, name, { addresses: [internal(`10.51.0.${index + 1}`)] });
    }
    await world.cloud.forgetCalls();
    await world.cloud.fault({
      method: "GET",
      path: "/v1/instances*",
      status: 429,
      retryAfter: 3,
      times: 2,
    });
    await Promise.all(names.map((name) => createNode(world, name)));
    await Promise.all(names.map((name) => initialised(world, name)));
    const { recent } = await world.cloud.calls();
    const reads = recent
      .filter((call) => call.method === "GET")
      .map((call) => ({ at: new Date(call.at).getTime(), status: call.status }))
      .sort((left, right) => left.at - right.at);
    const refusals = reads.filter((read) => read.status === 429);
    demand(refusals.length >= 1, "the cloud refused nothing");
    for (const refusal of refusals) {
      const early = reads.filter(
        (read) => read.at > refusal.at + 300 && read.at < refusal.at + 2_900,
      );
      same(early.length, 0, "reads before Retry-After had passed");
    }
    await eventually(
      () =>
        demand(
          names.some((name) =>
            eventsOf(world, name).some((event) => event.reason.includes("Throttled")),
          ),
          "no event says that the cloud throttles",
        ),
      { on: world.events },
    );
  },
};

export const NO_WORKERS: Scenario = {
  id: "N-50",
  title: "zero workers are refused by name",
  async run(world) {
    const { code, output } = await world.startsAndEnds({ "--concurrent-node-syncs": "0" });
    same(code, 1, "the exit code");
    demand(output.includes("--concurrent-node-syncs"), `the message names no flag: ${output}`);
  },
};
