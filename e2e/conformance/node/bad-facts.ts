import { demand, eventually, same } from "../../harness/wait.ts";
import {
  countOf,
  createInstance,
  createNode,
  eventsOf,
  external,
  hostname,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
  PROVIDED_IP,
  patchNode,
  prepared,
  seen,
  untilNode,
} from "../environment/objects.ts";
import { recorded, warned } from "../environment/reported.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";

/** Rows B-01 to B-05, B-53, B-55 and B-58: wrong facts from nodes and clouds. The numbers are ours; spec/90 has no such table. */
export const WRONG_FACTS: readonly Scenario[] = rows({
  "B-01 a malformed provider ID is reported with the form that it should have, and deletes nothing":
    async (env) => {
      const ids = ["no-url", "sandbox://", "sandbox://a b"];
      const names = ids.map((_, index) => `b-01-${index}`);
      for (const [index, providerID] of ids.entries())
        await createNode(env, names[index] ?? "", { providerID, ready: "False" });
      for (const [index, name] of names.entries()) {
        const providerID = ids[index] ?? "";
        await warned(env, name, ["ProviderIDMalformed", providerID, "sandbox://"]);
        await recorded(env, name, { code: "ProviderIDMalformed", providerID });
      }
      await Promise.all(
        names.map((name) => nodeStays(env, name, { check: keepsTaint, forMs: 5_000 })),
      );
    },
  "B-02 of two nodes with one provider ID the second waits and names the first": async (env) => {
    const instance = await createInstance(env, "b-02-a", {
      addresses: [internal("10.52.2.1")],
    });
    await createNode(env, "b-02-a");
    await initialised(env, "b-02-a");
    const version = seen(env, "b-02-a").metadata.resourceVersion;
    const providerID = `sandbox://${instance.id}`;
    await createNode(env, "b-02-b", { providerID });
    await warned(env, "b-02-b", ["ProviderIDDuplicate", "b-02-a", providerID]);
    await recorded(env, "b-02-b", { code: "ProviderIDDuplicate", other: "b-02-a", providerID });
    await nodeStays(env, "b-02-b", { check: keepsTaint, forMs: 3_000 });
    same(seen(env, "b-02-a").metadata.resourceVersion, version, "the first node's version");
    await env.kube.delete("/api/v1/nodes/b-02-a");
    await initialised(env, "b-02-b");
  },
  "B-03 an instance without addresses initialises its node, which keeps its own, and that is reported":
    async (env) => {
      const instance = await createInstance(env, "b-03", { addresses: [] });
      await createNode(env, "b-03");
      const node = await initialised(env, "b-03");
      same(node.status.addresses, [hostname("b-03")], "the addresses");
      await recorded(env, "b-03", { code: "AddressesMissing" });
      await warned(env, "b-03", ["AddressesMissing", "no address"]);
      await env.cloud.change(instance.id, { addresses: [internal("10.52.3.1")] });
      const wanted = [internal("10.52.3.1"), hostname("b-03")];
      await untilNode(env, "b-03", {
        check: (now) => same(now.status.addresses, wanted, "the addresses"),
      });
    },
  "B-04 an address that the cloud lists twice is named in one Event, and the Node has it once":
    async (env) => {
      const twice = [internal("10.52.4.1"), internal("10.52.4.1")];
      await createInstance(env, "b-04", { addresses: twice });
      await createNode(env, "b-04");
      await warned(env, "b-04", ["AddressDuplicate", "InternalIP 10.52.4.1"]);
      await recorded(env, "b-04", { code: "AddressDuplicate", address: "10.52.4.1" });
      const node = await initialised(env, "b-04");
      same(node.status.addresses, [internal("10.52.4.1"), hostname("b-04")], "the addresses");
    },
  "B-05 a node IP that the cloud does not know is reported beside those that it knows": async (
    env,
  ) => {
    await createInstance(env, "b-05", { addresses: [internal("10.52.5.1")] });
    await createNode(env, "b-05", { annotations: { [PROVIDED_IP]: "10.52.5.9" } });
    await warned(env, "b-05", ["ProvidedNodeIPUnknown", "10.52.5.9", "10.52.5.1"]);
    await recorded(env, "b-05", { code: "ProvidedNodeIPUnknown", wanted: "10.52.5.9" });
    await createNode(env, "b-05-b", { annotations: { [PROVIDED_IP]: "10.52.5.1,,x" } });
    await createInstance(env, "b-05-b", { addresses: [internal("10.52.5.2")] });
    await warned(env, "b-05-b", ["ProvidedNodeIPInvalid", "10.52.5.1,,x"]);
    for (const name of ["b-05", "b-05-b"]) keepsTaint(seen(env, name));
  },
  "B-53 a cloud that goes on to list an address twice keeps no Node at its old addresses": async (
    env,
  ) => {
    const instance = await prepared(env, "b-53");
    const [first, second] = [internal("10.53.0.2"), external("198.51.100.53")];
    await env.cloud.change(instance.id, { addresses: [first, first, second] });
    await addressesAre(env, "b-53", [first, second, hostname("b-53")]);
    await warned(env, "b-53", ["AddressDuplicate", "InternalIP 10.53.0.2"]);
    const third = internal("10.53.0.3");
    await env.cloud.change(instance.id, { addresses: [first, third, first] });
    await addressesAre(env, "b-53", [first, third, hostname("b-53")]);
    same(countOf(eventsOf(env, "b-53"), "AddressDuplicate"), 1, "how often it was reported");
  },
  "B-55 a Node of another cloud is left alone, alarms nobody, and is named once in the log": async (
    env,
  ) => {
    const [waiting, ready] = ["b-55-a", "b-55-b"];
    await createNode(env, waiting, { providerID: "elsewhere://a", ready: "False" });
    await createNode(env, ready, { providerID: "elsewhere://b", taints: [] });
    for (const name of [waiting, ready]) {
      await recorded(env, name, { code: "ForeignNode", provider: "sandbox" });
      await patchNode(env, name, { metadata: { labels: { touched: "1" } } });
      await nodeStays(env, name, { check: () => undefined, forMs: 4_000 });
      const lines = env.controller
        .output()
        .split("\n")
        .filter((line) => line.includes(`Node/${name}`));
      same(lines.length, 1, `how many lines of the log name ${name}`);
      demand(
        lines[0]?.includes("belongs to a cloud other than") === true,
        `the log says ${lines[0]}`,
      );
      same(
        eventsOf(env, name).filter(({ type }) => type === "Warning"),
        [],
        "its Warnings",
      );
      const runs = await env.history(["--object", name, "--limit", "200"]);
      const alarms = runs.filter(({ outcome }) => outcome === "blocked" || outcome === "failed");
      same(alarms, [], "runs that alarm");
    }
    keepsTaint(seen(env, waiting));
  },
  "B-58 a cloud that lists the same addresses in another order each time causes no write": async (
    env,
  ) => {
    const [one, two] = [internal("10.58.0.1"), internal("10.58.0.2")];
    const instance = await createInstance(env, "b-58", { addresses: [one, two] });
    await createNode(env, "b-58");
    await addressesAre(env, "b-58", [one, two, hostname("b-58")]);
    await initialised(env, "b-58");
    const { resourceVersion } = seen(env, "b-58").metadata;
    for (const addresses of [
      [two, one],
      [one, two],
      [two, one],
    ]) {
      await env.cloud.change(instance.id, { addresses });
      await lookedAt(env, "b-58");
    }
    same(seen(env, "b-58").metadata.resourceVersion, resourceVersion, "the Node's version");
    const other = internal("10.58.0.3");
    await env.cloud.change(instance.id, { addresses: [two, other] });
    await addressesAre(env, "b-58", [two, other, hostname("b-58")]);
  },
});

/** Waits until the Node has exactly these addresses. */
async function addressesAre(env: SharedEnvironment, name: string, wanted: object): Promise<void> {
  await untilNode(env, name, {
    check: ({ status }) => same(status.addresses, wanted, "the addresses"),
  });
}

/** Waits until the next periodic refresh has been recorded. */
async function lookedAt(env: SharedEnvironment, name: string): Promise<void> {
  const from = Date.now();
  await eventually(async () => {
    const runs = await env.history(["--object", name, "--limit", "200"]);
    const since = runs.filter(
      ({ controller, startedAt, cloudCalls, trigger }) =>
        controller === "cloud-node-controller" &&
        trigger.kind === "period" &&
        cloudCalls > 0 &&
        startedAt > from,
    );
    demand(since.length > 0, `node ${name} was not looked at again`);
  });
}
