import { demand, same } from "../../harness/wait.ts";
import {
  addressesOf,
  type FakeEnvironment,
  type FakeRow,
  holds,
  initialised,
  isWaiting,
  labelsOf,
  register,
  staysWaiting,
  untilEvent,
  untilNode,
} from "./environment.ts";
import type { Machine } from "./state.ts";

const SIX_LABELS = [
  "beta.kubernetes.io/instance-type=m1",
  "failure-domain.beta.kubernetes.io/region=r1",
  "failure-domain.beta.kubernetes.io/zone=z1",
  "node.kubernetes.io/instance-type=m1",
  "topology.kubernetes.io/region=r1",
  "topology.kubernetes.io/zone=z1",
];
const FROM_CLOUD = ["InternalIP 10.0.0.1", "ExternalIP 198.51.100.1"];
const PROVIDED = "alpha.kubernetes.io/provided-node-ip";

export const nodeRows: readonly FakeRow[] = [
  row("N-01", "a Node gets its ID, six labels and the cloud's addresses", async (env, name) => {
    const hostname = { type: "Hostname", address: "n1.cloud" };
    env.cloud.put(name, { addresses: [hostname, { type: "InternalIP", address: "10.0.0.1" }] });
    await register(env, name);
    const node = await initialised(env, name);
    same(node.spec.providerID, `fake://${name}`, "the provider ID");
    same(labelsOf(node), SIX_LABELS, "the labels");
    await hasAddresses(env, name, ["Hostname n1.cloud", "InternalIP 10.0.0.1"]);
    await untilEvent(env, name, "Synced");
  }),
  row("N-02", "without one of the cloud's the Node keeps its own host name", async (env, name) => {
    env.cloud.put(name);
    await register(env, name);
    await hasAddresses(env, name, [...FROM_CLOUD, `Hostname ${name}`]);
  }),
  row("N-06", "a Node's own provider ID stays", async (env, name) => {
    env.cloud.put(name, { providerID: "fake://its-own" });
    await register(env, name, { providerID: "fake://its-own" });
    same((await initialised(env, name)).spec.providerID, "fake://its-own", "the provider ID");
  }),
  row("N-07", "metadata without an ID is waited for", async (env, name) => {
    env.cloud.put(name, { providerID: "" });
    await register(env, name);
    await staysWaiting(env, name);
    env.cloud.put(name);
    await initialised(env, name);
  }),
  row("N-09", "metadata that fail are asked for again", (env, name) =>
    failsThenPasses(env, name, "InstanceMetadata"),
  ),
  row("N-11", "what the cloud leaves empty becomes no label", async (env, name) => {
    env.cloud.put(name, { zone: "", type: "" });
    await register(env, name);
    const wanted = SIX_LABELS.filter((label) => label.includes("region"));
    same(labelsOf(await initialised(env, name)), wanted, "the labels");
  }),
  row("N-13", "of further labels those of Kubernetes are left out", async (env, name) => {
    const labels = { "my.io/a": "1", "foo.k8s.io/y": "1", "kubernetes.io/z": "1", plain: "3" };
    env.cloud.put(name, { labels });
    await register(env, name);
    const has = (await initialised(env, name)).metadata.labels ?? {};
    same(
      Object.keys(labels).filter((key) => key in has),
      ["my.io/a", "plain"],
      "the labels",
    );
  }),
  row("N-14", "a label that the Node has stays", async (env, name) => {
    env.cloud.put(name, { labels: { "my.io/a": "new" } });
    await register(env, name, { labels: { "my.io/a": "keep" } });
    same((await initialised(env, name)).metadata.labels?.["my.io/a"], "keep", "the label");
  }),
  row("N-15", "the address that the kubelet named comes first", async (env, name) => {
    const internal = ["10.0.0.2", "10.0.0.1"].map((address) => ({ type: "InternalIP", address }));
    env.cloud.put(name, { addresses: internal });
    await register(env, name, { annotations: { [PROVIDED]: "10.0.0.1" } });
    await hasAddresses(env, name, ["InternalIP 10.0.0.1", `Hostname ${name}`]);
  }),
  row("N-17", "one that the cloud does not have is waited for", async (env, name) => {
    env.cloud.put(name);
    await register(env, name, { annotations: { [PROVIDED]: "10.9.9.9" } });
    await staysWaiting(env, name);
    env.cloud.put(name, { addresses: [{ type: "InternalIP", address: "10.9.9.9" }] });
    await initialised(env, name);
  }),
  refreshed("N-26", "a changed address follows", {
    change: { addresses: [{ type: "InternalIP", address: "10.0.0.9" }] },
    addresses: (name) => ["InternalIP 10.0.0.9", `Hostname ${name}`],
  }),
  row("N-27", "no addresses at all are not taken over", async (env, name) => {
    await known(env, name);
    env.cloud.put(name, { addresses: [] });
    await keepsAddresses(env, name);
  }),
  row("N-28", "nor does a cloud that fails take any away", async (env, name) => {
    await known(env, name);
    env.cloud.befall(`InstanceMetadata fake://${name}`, { error: "out of order" });
    await keepsAddresses(env, name);
  }),
  refreshed("N-29", "a host name of the cloud's takes the place of the kubelet's", {
    change: { addresses: [{ type: "Hostname", address: "n1.cloud" }] },
    addresses: () => ["Hostname n1.cloud"],
  }),
  row("N-41", "a value that no label may have stops it until it is right", async (env, name) => {
    env.cloud.put(name, { zone: "a b" });
    await register(env, name);
    await staysWaiting(env, name);
    env.cloud.put(name);
    await initialised(env, name);
  }),
  relabelled("N-43", "a machine of another type changes both labels", {
    change: { type: "m2" },
    wanted: ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
    value: "m2",
  }),
  relabelled("N-45", "a further label that changes in the cloud follows", {
    ...{ before: { labels: { "my.io/a": "1" } }, change: { labels: { "my.io/a": "2" } } },
    ...{ wanted: ["my.io/a"], value: "2" },
  }),
  row("N-52", "a machine that is listed later is waited for", async (env, name) => {
    await register(env, name);
    await staysWaiting(env, name);
    env.cloud.put(name);
    await initialised(env, name);
  }),
];

/** The name of its Node is the row's. */
function row(
  id: string,
  title: string,
  play: (env: FakeEnvironment, name: string) => Promise<unknown>,
): FakeRow {
  return { id, title, run: (env) => play(env, id.toLowerCase()) };
}

async function known(env: FakeEnvironment, name: string, more: Partial<Machine> = {}) {
  env.cloud.put(name, more);
  await register(env, name);
  await initialised(env, name);
  await untilNode(env, name, (node) =>
    demand(addressesOf(node).length > 1, `${name} has the addresses ${addressesOf(node).join()}`),
  );
}

async function failsThenPasses(env: FakeEnvironment, name: string, method: string) {
  env.cloud.put(name);
  env.cloud.befall(`${method} ${name}`, { error: "out of order" });
  await register(env, name);
  await staysWaiting(env, name);
  env.cloud.befall(`${method} ${name}`, undefined);
  await initialised(env, name);
}

async function hasAddresses(env: FakeEnvironment, name: string, wanted: readonly string[]) {
  await untilNode(env, name, (node) => {
    demand(!isWaiting(node), `${name} is not initialised`);
    same(addressesOf(node), wanted, "the addresses");
  });
}

async function keepsAddresses(env: FakeEnvironment, name: string) {
  const wanted = addressesOf(env.nodes.get(name));
  await holds(env, () => same(addressesOf(env.nodes.get(name)), wanted, "the addresses"));
}

interface Refresh {
  readonly change: Partial<Machine>;
  readonly addresses: (name: string) => readonly string[];
}

function refreshed(id: string, title: string, { change, addresses }: Refresh): FakeRow {
  return row(id, title, async (env, name) => {
    await known(env, name);
    env.cloud.put(name, change);
    await hasAddresses(env, name, addresses(name));
  });
}

interface Relabelling {
  readonly before?: Partial<Machine>;
  readonly change: Partial<Machine>;
  readonly wanted: readonly string[];
  readonly value: string;
}

function relabelled(id: string, title: string, relabelling: Relabelling): FakeRow {
  const { before = {}, change, wanted, value } = relabelling;
  return row(id, title, async (env, name) => {
    await known(env, name, before);
    env.cloud.put(name, change);
    await untilNode(env, name, ({ metadata: { labels = {} } }) =>
      same(
        wanted.map((key) => labels[key]),
        wanted.map(() => value),
        "the labels",
      ),
    );
  });
}
