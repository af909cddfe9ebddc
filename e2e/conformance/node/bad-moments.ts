import { hasEnded } from "../../harness/controller.ts";
import { KubeFailure } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import {
  createInstance,
  createNode,
  gone,
  hostname,
  initialised,
  internal,
  keepsTaint,
  patchNode,
  seen,
  taintsOf,
  untilNode,
} from "../environment/objects.ts";
import { recorded, warned } from "../environment/reported.ts";
import {
  type Environment,
  rows,
  type Scenario,
  type SharedEnvironment,
} from "../environment/scenario.ts";

/** Rows B-06 to B-10: what happens to a node during a run, and what it carries. */
export const WRONG_MOMENTS: readonly Scenario[] = rows({
  "B-06 a node deleted while it is looked up is not made again, and its run says that it is gone":
    async (env) => {
      const lift = await slow(env, "b-06");
      await createInstance(env, "b-06", { addresses: [internal("10.52.6.1")] });
      await createNode(env, "b-06");
      await asked(env, "b-06");
      await env.kube.delete("/api/v1/nodes/b-06");
      await gone(env, "b-06");
      await recorded(env, "b-06", { code: "ObjectGone" });
      await always(() => demand(env.nodes.get("b-06") === undefined, "it was made again"), {
        forMs: 4_000,
        on: env.nodes,
      });
      await lift();
      demand(!hasEnded(env.controller), "the controller ended");
    },
  "B-07 a node made again while the old one is looked up gets what is its own": async (env) => {
    const lift = await slow(env, "b-07");
    const old = await createInstance(env, "b-07", { addresses: [internal("10.52.7.1")] });
    const first = await createNode(env, "b-07");
    await asked(env, "b-07");
    await env.kube.delete("/api/v1/nodes/b-07");
    await env.cloud.remove(old.id);
    const machine = await createInstance(env, "b-07", { addresses: [internal("10.52.7.2")] });
    const second = await createNode(env, "b-07");
    await lift();
    const node = await initialised(env, "b-07");
    same(node.metadata.uid, second.metadata.uid, "the UID");
    same(node.spec.providerID, `sandbox://${machine.id}`, "the provider ID");
    same(node.status.addresses, [internal("10.52.7.2"), hostname("b-07")], "the addresses");
    await eventually(async () => {
      const runs = await env.history(["--object", "b-07"]);
      const made = runs.filter(({ outcome }) => outcome === "changed");
      same(
        made.map(({ object }) => object.uid),
        [second.metadata.uid],
        "whom runs changed",
      );
    });
    demand(first.metadata.uid !== second.metadata.uid, "the API gave one UID twice");
  },
  "B-08 a client that writes the same node all the time loses nothing and holds nothing up": async (
    env,
  ) => {
    await createInstance(env, "b-08", { addresses: [internal("10.52.8.1")] });
    await createNode(env, "b-08");
    let writes = 0;
    let busy = true;
    const writer = (async () => {
      while (busy) {
        writes += 1;
        await writeTaintAndLabel(env, "b-08", String(writes));
      }
    })();
    try {
      await initialised(env, "b-08", 10_000);
    } finally {
      busy = false;
      await writer;
    }
    const last = String(writes);
    await untilNode(env, "b-08", {
      check: (node) => {
        same(taintsOf(node), [{ key: "b-08", value: last, effect: "NoExecute" }], "the taints");
        same(node.metadata.labels?.["b-08"], last, "the other client's label");
        same(node.status.addresses?.[0], internal("10.52.8.1"), "the first address");
      },
    });
  },
  "B-09 a megabyte of annotations is the API's to refuse; a node full of them is worked on, or says why not":
    async (env) => {
      const refused = await createNode(env, "b-09-mega", {
        annotations: filling(1_048_576),
      }).then(
        () => undefined,
        (error: unknown) => error,
      );
      demand(refused instanceof KubeFailure && refused.status === 422, `the API says ${refused}`);
      const names = { heavy: MOST_ANNOTATIONS - 8_192, full: MOST_ANNOTATIONS };
      for (const [name, bytes] of Object.entries(names)) {
        await createInstance(env, `b-09-${name}`, { addresses: [internal("10.52.9.1")] });
        await createNode(env, `b-09-${name}`, { annotations: filling(bytes) });
      }
      const heavy = await initialised(env, "b-09-heavy");
      same(heavy.metadata.annotations?.big?.length, names.heavy - 3, "the annotation's length");
      await warned(env, "b-09-full", ["KubeRefused", "annotations"]);
      keepsTaint(seen(env, "b-09-full"));
      await patchNode(env, "b-09-full", { metadata: { annotations: { big: "little" } } });
      await initialised(env, "b-09-full");
    },
  "B-10 script in a cloud's values, in messages and in annotations arrives as the text that it is":
    async (env) => {
      const script = '<script>alert("1")</script>';
      const instance = await createInstance(env, "b-10-type");
      await env.cloud.change(instance.id, { type: script });
      await createNode(env, "b-10-type");
      await warned(env, "b-10-type", ["LabelInvalid", script]);
      await recorded(env, "b-10-type", { code: "LabelInvalid", value: script });
      await createInstance(env, "b-10-hold");
      await createNode(env, "b-10-hold", { annotations: { "cloudwright.io/hold": script } });
      await recorded(env, "b-10-hold", { code: "HeldByAnnotation", why: script });
      await createInstance(env, "b-10-refused", { addresses: [internal("10.52.10.1")] });
      const lift = await slow(env, "b-10-refused");
      await createNode(env, "b-10-refused");
      const accept = await env.cluster.refuse({
        name: "b-10",
        verb: "PATCH_STATUS",
        node: "b-10-refused",
        message: script,
      });
      await lift();
      await warned(env, "b-10-refused", ["KubeRefused", script]);
      await eventually(async () => {
        const runs = await env.history(["--object", "b-10-refused"]);
        const messages = runs.map(({ reason }) => String(reason?.message ?? ""));
        demand(
          messages.some((text) => text.includes(script)),
          `it is not in ${messages}`,
        );
      });
      await accept();
      await initialised(env, "b-10-refused");
    },
});

/** Kubernetes's limit for all annotations, keys and values together. */
const MOST_ANNOTATIONS = 262_144;

function filling(bytes: number): Record<string, string> {
  return { big: "x".repeat(bytes - "big".length) };
}

/** Delays reads of that instance, so that something may happen meanwhile. */
function slow(env: SharedEnvironment, name: string): Promise<() => Promise<void>> {
  const path = "/v1/instances*";
  return env.cloud.fault({ method: "GET", path, instance: name, latencyMs: 1_500 });
}

/** Waits until a read is in progress that began after the node was created. */
async function asked(env: SharedEnvironment, name: string): Promise<void> {
  await untilNode(env, name, { check: () => undefined });
  const { total } = await env.cloud.calls();
  await eventually(async () => {
    const now = await env.cloud.calls();
    demand(now.total > total, "the cloud was not asked yet");
  });
}

/** Writes like a careful client: on the revision that it read, and again if that is outdated. */
async function writeTaintAndLabel(env: Environment, name: string, value: string): Promise<void> {
  await eventually(async () => {
    const node = await env.kube.get<ReturnType<typeof seen>>(`/api/v1/nodes/${name}`);
    const taints = (node.spec.taints ?? []).filter(({ key }) => key !== name);
    await env.kube.patch(`/api/v1/nodes/${name}`, "merge", {
      metadata: { resourceVersion: node.metadata.resourceVersion, labels: { [name]: value } },
      spec: { taints: [...taints, { key: name, value, effect: "NoExecute" }] },
    });
  });
}
