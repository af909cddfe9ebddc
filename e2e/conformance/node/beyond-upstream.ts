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
import { row, rows, type Scenario } from "../environment/scenario.ts";

/** Rows N-43 to N-49 and N-52: what upstream gets wrong and we get right. */
export const NODE_BEYOND_UPSTREAM: readonly Scenario[] = rows({
  "N-43 a resized instance changes both type labels": async (env) => {
    const instance = await prepared(env, "n-43");
    await env.cloud.change(instance.id, { type: "m2" });
    await untilNode(env, "n-43", {
      withinMs: 8_000,
      check: (node) => same(labelsOf(node, TYPE), ["m2", "m2"], "the types"),
    });
  },
  "N-44 both zone labels come back after a person removed them": async (env) => {
    await prepared(env, "n-44");
    await patchNode(env, "n-44", {
      metadata: { labels: { [ZONE[0]]: null, [ZONE[1]]: null } },
    });
    await untilNode(env, "n-44", {
      withinMs: 8_000,
      check: (node) => same(labelsOf(node, ZONE), ["z1", "z1"], "the zones"),
    });
  },
  "N-45 additional labels follow the cloud, others are untouched": async (env) => {
    const instance = await createInstance(env, "n-45", {
      addresses: [internal("10.45.0.1")],
      labels: { "my.io/a": "1", "my.io/gone": "1" },
    });
    await createNode(env, "n-45", { labels: { "user.io/own": "kept" } });
    await initialised(env, "n-45");
    await env.cloud.change(instance.id, { labels: { "my.io/a": "2", "my.io/b": "3" } });
    const keys = ["my.io/a", "my.io/b", "user.io/own"];
    await untilNode(env, "n-45", {
      withinMs: 8_000,
      check: (node) => same(labelsOf(node, keys), ["2", "3", "kept"], "the labels"),
    });
  },
  "N-46 a node that waits has a Warning event with the cause, and the ledger lists it": async (
    env,
  ) => {
    await createInstance(env, "n-46", { addresses: [internal("10.46.0.1")] });
    const lift = await env.cloud.faultOnReads({ instance: "n-46", status: 500 });
    await createNode(env, "n-46");
    await eventually(
      () => {
        const warning = eventsOf(env, "n-46").find((event) => event.type === "Warning");
        demand(warning !== undefined, "no Warning event");
        demand(
          warning.message.includes("500"),
          `the event does not name the cause: ${warning.message}`,
        );
      },
      { on: env.events },
    );
    await eventually(async () => {
      const runs = await env.history(["--object", "n-46"]);
      demand(
        runs.some((run) => run.outcome === "failed"),
        `the ledger has no failed run: ${JSON.stringify(runs)}`,
      );
    });
    keepsTaint(seen(env, "n-46"));
    await lift();
    await initialised(env, "n-46");
  },
  "N-48 two InternalIPs and nothing changes: nothing is written": async (env) => {
    const addresses = [internal("10.48.0.1"), internal("fd00:48::1")];
    await createInstance(env, "n-48", { addresses });
    await createNode(env, "n-48");
    const node = await initialised(env, "n-48");
    same(node.status.addresses, [...addresses, hostname("n-48")], "the addresses");
    const version = seen(env, "n-48").metadata.resourceVersion;
    const writes = await env.cluster.writes("nodes", "n-48");
    await nodeStays(env, "n-48", {
      forMs: 11_000,
      check: (current) => same(current.metadata.resourceVersion, version, "the resource version"),
    });
    same(await env.cluster.writes("nodes", "n-48"), writes, "writes to the node");
  },
  "N-49 an instance that is claimed no more breaks nothing": async (env) => {
    const instance = await prepared(env, "n-49");
    const before = seen(env, "n-49").status.addresses;
    await env.cloud.change(instance.id, { managed: false });
    await nodeStays(env, "n-49", {
      forMs: 6_000,
      check: (node) => same(node.status.addresses, before, "the addresses"),
    });
    demand(env.controller.child.exitCode === null, "the controller ended");
  },
  "N-52 a node that is there before its instance waits with a stated cause and is initialised soon after":
    async (env) => {
      await createNode(env, "n-52", { ready: "False" });
      await nodeStays(env, "n-52", { check: keepsTaint, forMs: 20_000 });
      await eventually(() => demand(eventsOf(env, "n-52").length > 0, "no event states a cause"), {
        on: env.events,
      });
      await createInstance(env, "n-52", { addresses: [internal("10.52.0.1")] });
      await initialised(env, "n-52", 5_000);
    },
});

export const REFUSED_ADDRESSES: Scenario = row(
  "N-47",
  "a refused address patch is tried again long before the next refresh",
  async (env) => {
    await createInstance(env, "n-47", { addresses: [internal("10.47.0.1")] });
    const lift = await env.cloud.faultOnReads({ instance: "n-47", status: 500 });
    await createNode(env, "n-47");
    const accept = await env.cluster.refuse({
      name: "n-47",
      verb: "PATCH_STATUS",
      node: "n-47",
      message: "addresses are frozen",
    });
    await lift();
    await eventually(
      () =>
        demand(
          eventsOf(env, "n-47").some((event) => event.message.includes("addresses are frozen")),
          "no event names the refusal",
        ),
      { on: env.events },
    );
    await accept();
    await untilNode(env, "n-47", {
      withinMs: 10_000,
      check: (node) => {
        same(node.status.addresses, [internal("10.47.0.1"), hostname("n-47")], "the addresses");
        demand(!hasTaint(node, UNINITIALIZED.key), "the taint is still there");
      },
    });
  },
);

export const THROTTLED: Scenario = row(
  "N-51",
  "after a 429 no read leaves before Retry-After has passed",
  async (env) => {
    const names = ["a", "b", "c", "d", "e"].map((letter) => `n-51-${letter}`);
    for (const [index, name] of names.entries()) {
      await createInstance(env, name, { addresses: [internal(`10.51.0.${index + 1}`)] });
    }
    await env.cloud.forgetCalls();
    await env.cloud.faultOnReads({ status: 429, retryAfter: 3, times: 2 });
    await Promise.all(names.map((name) => createNode(env, name)));
    await Promise.all(names.map((name) => initialised(env, name)));
    const { recent } = await env.cloud.calls();
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
            eventsOf(env, name).some((event) => event.reason.includes("Throttled")),
          ),
          "no event says that the cloud throttles",
        ),
      { on: env.events },
    );
  },
);

export const NO_WORKERS: Scenario = row("N-50", "zero workers are refused by name", async (env) => {
  const { code, output } = await env.startsAndEnds({ "--concurrent-node-syncs": "0" });
  same(code, 1, "the exit code");
  demand(output.includes("--concurrent-node-syncs"), `the message names no flag: ${output}`);
});
