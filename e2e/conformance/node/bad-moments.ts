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
import type { Scenario, Scene, World } from "../environment/scenario.ts";
import { recorded, warned } from "../environment/told.ts";

/** Rows B-06 to B-10: what happens to a node while it is worked on, and what it carries. */
export const WRONG_MOMENTS: readonly Scenario[] = [
  {
    id: "B-06",
    title:
      "a node deleted while it is looked up is not made again, and its run says that it is gone",
    async run(world) {
      const lift = await slow(world, "b-06");
      await createInstance(world, "b-06", { addresses: [internal("10.52.6.1")] });
      await createNode(world, "b-06");
      await asked(world, "b-06");
      await world.kube.delete("/api/v1/nodes/b-06");
      await gone(world, "b-06");
      await recorded(world, "b-06", { code: "ObjectGone" });
      await always(() => demand(world.nodes.get("b-06") === undefined, "it was made again"), {
        forMs: 4_000,
        on: world.nodes,
      });
      await lift();
      demand(!hasEnded(world.controller), "the controller ended");
    },
  },
  {
    id: "B-07",
    title: "a node made again while the old one is looked up gets what is its own",
    async run(world) {
      const lift = await slow(world, "b-07");
      const old = await createInstance(world, "b-07", { addresses: [internal("10.52.7.1")] });
      const first = await createNode(world, "b-07");
      await asked(world, "b-07");
      await world.kube.delete("/api/v1/nodes/b-07");
      await world.cloud.remove(old.id);
      const machine = await createInstance(world, "b-07", { addresses: [internal("10.52.7.2")] });
      const second = await createNode(world, "b-07");
      await lift();
      const node = await initialised(world, "b-07");
      same(node.metadata.uid, second.metadata.uid, "the UID");
      same(node.spec.providerID, `sandbox://${machine.id}`, "the provider ID");
      same(node.status.addresses, [internal("10.52.7.2"), hostname("b-07")], "the addresses");
      await eventually(async () => {
        const runs = await world.history(["--object", "b-07"]);
        const made = runs.filter(({ outcome }) => outcome === "changed");
        same(
          made.map(({ object }) => object.uid),
          [second.metadata.uid],
          "whom runs changed",
        );
      });
      demand(first.metadata.uid !== second.metadata.uid, "the API gave one UID twice");
    },
  },
  {
    id: "B-08",
    title: "a client that writes the same node all the time loses nothing and holds nothing up",
    async run(world) {
      await createInstance(world, "b-08", { addresses: [internal("10.52.8.1")] });
      await createNode(world, "b-08");
      let writes = 0;
      let busy = true;
      const writer = (async () => {
        while (busy) {
          writes += 1;
          await writeTaintAndLabel(world, "b-08", String(writes));
        }
      })();
      try {
        await initialised(world, "b-08", 10_000);
      } finally {
        busy = false;
        await writer;
      }
      const last = String(writes);
      await untilNode(world, "b-08", {
        check: (node) => {
          same(taintsOf(node), [{ key: "b-08", value: last, effect: "NoExecute" }], "the taints");
          same(node.metadata.labels?.["b-08"], last, "the other client's label");
          same(node.status.addresses?.[0], internal("10.52.8.1"), "the first address");
        },
      });
    },
  },
  {
    id: "B-09",
    title:
      "a megabyte of annotations is the API's to refuse; a node full of them is worked on, or says why not",
    async run(world) {
      const refused = await createNode(world, "b-09-mega", {
        annotations: filling(1_048_576),
      }).then(
        () => undefined,
        (error: unknown) => error,
      );
      demand(refused instanceof KubeFailure && refused.status === 422, `the API says ${refused}`);
      const names = { heavy: MOST_ANNOTATIONS - 8_192, full: MOST_ANNOTATIONS };
      for (const [name, bytes] of Object.entries(names)) {
        await createInstance(world, `b-09-${name}`, { addresses: [internal("10.52.9.1")] });
        await createNode(world, `b-09-${name}`, { annotations: filling(bytes) });
      }
      const heavy = await initialised(world, "b-09-heavy");
      same(heavy.metadata.annotations?.big?.length, names.heavy - 3, "the annotation's length");
      await warned(world, "b-09-full", ["KubeRefused", "annotations"]);
      keepsTaint(seen(world, "b-09-full"));
      await patchNode(world, "b-09-full", { metadata: { annotations: { big: "little" } } });
      await initialised(world, "b-09-full");
    },
  },
  {
    id: "B-10",
    title:
      "script in a cloud's values, in messages and in annotations arrives as the text that it is",
    async run(world) {
      const script = '<script>alert("1")</script>';
      const instance = await createInstance(world, "b-10-type");
      await world.cloud.change(instance.id, { type: script });
      await createNode(world, "b-10-type");
      await warned(world, "b-10-type", ["LabelInvalid", script]);
      await recorded(world, "b-10-type", { code: "LabelInvalid", value: script });
      await createInstance(world, "b-10-hold");
      await createNode(world, "b-10-hold", { annotations: { "cloudwright.io/hold": script } });
      await recorded(world, "b-10-hold", { code: "HeldByAnnotation", why: script });
      await createInstance(world, "b-10-refused", { addresses: [internal("10.52.10.1")] });
      const lift = await slow(world, "b-10-refused");
      await createNode(world, "b-10-refused");
      const accept = await world.cluster.refuse({
        name: "b-10",
        verb: "PATCH_STATUS",
        node: "b-10-refused",
        message: script,
      });
      await lift();
      await warned(world, "b-10-refused", ["KubeRefused", script]);
      await eventually(async () => {
        const runs = await world.history(["--object", "b-10-refused"]);
        const messages = runs.map(({ reason }) => String(reason?.message ?? ""));
        demand(
          messages.some((text) => text.includes(script)),
          `it is not in ${messages}`,
        );
      });
      await accept();
      await initialised(world, "b-10-refused");
    },
  },
];

/** What Kubernetes takes of annotations, keys and values together. */
const MOST_ANNOTATIONS = 262_144;

function filling(bytes: number): Record<string, string> {
  return { big: "x".repeat(bytes - "big".length) };
}

/** Reads of that instance take a while, so that something may happen meanwhile. */
function slow(world: World, name: string): Promise<() => Promise<void>> {
  const path = "/v1/instances*";
  return world.cloud.fault({ method: "GET", path, instance: name, latencyMs: 1_500 });
}

/** Until a read is on its way that began after the node came. */
async function asked(world: World, name: string): Promise<void> {
  await untilNode(world, name, { check: () => undefined });
  const { total } = await world.cloud.calls();
  await eventually(async () => {
    const now = await world.cloud.calls();
    demand(now.total > total, "the cloud was not asked yet");
  });
}

/** As a careful client: on the revision that it read, again when that is past. */
async function writeTaintAndLabel(scene: Scene, name: string, value: string): Promise<void> {
  await eventually(async () => {
    const node = await scene.kube.get<ReturnType<typeof seen>>(`/api/v1/nodes/${name}`);
    const taints = (node.spec.taints ?? []).filter(({ key }) => key !== name);
    await scene.kube.patch(`/api/v1/nodes/${name}`, "merge", {
      metadata: { resourceVersion: node.metadata.resourceVersion, labels: { [name]: value } },
      spec: { taints: [...taints, { key: name, value, effect: "NoExecute" }] },
    });
  });
}
