import { same } from "../../harness/wait.ts";
import { held } from "../environment/held-answers.ts";
import {
  cloudLabels,
  createInstance,
  createNode,
  gone,
  hasTaint,
  hostname,
  initialised,
  internal,
  labelsOf,
  setTaints,
  TYPE,
  UNINITIALIZED,
  untilNode,
} from "../environment/objects.ts";
import type { Scenario, World } from "../environment/scenario.ts";
import { onStage } from "../environment/stage.ts";

/** Rows B-50, B-51, B-56, B-57 and B-59: whose facts a Node gets, and that it gets them. Numbers are ours. */
export const NODE_IDENTITIES: readonly Scenario[] = [
  {
    id: "B-50",
    title:
      "a Node registered anew at once on another machine of its name gets that machine's facts",
    async run(world) {
      const old = await createInstance(world, "b-50", { addresses: [internal("10.50.0.1")] });
      await createNode(world, "b-50");
      await initialised(world, "b-50");
      await world.kube.delete("/api/v1/nodes/b-50");
      await world.cloud.remove(old.id);
      const machine = await createInstance(world, "b-50", {
        type: "m2",
        addresses: [internal("10.50.0.2")],
      });
      const { metadata } = await createNode(world, "b-50");
      await isOf(world, "b-50", {
        ...{ uid: metadata.uid, providerID: `sandbox://${machine.id}`, type: "m2" },
        address: "10.50.0.2",
      });
    },
  },
  {
    id: "B-56",
    title: "a Node registered anew on its own machine gets the type that it has by now",
    async run(world) {
      for (const [index, name] of ["b-56-name", "b-56-id"].entries()) {
        const address = `10.56.0.${index + 1}`;
        const machine = await createInstance(world, name, { addresses: [internal(address)] });
        const providerID = `sandbox://${machine.id}`;
        const options = name === "b-56-id" ? { providerID } : {};
        await createNode(world, name, options);
        await initialised(world, name);
        await world.kube.delete(`/api/v1/nodes/${name}`);
        await world.cloud.change(machine.id, { type: "m2" });
        const { metadata } = await createNode(world, name, options);
        await isOf(world, name, { uid: metadata.uid, providerID, type: "m2", address });
      }
    },
  },
  {
    id: "B-57",
    title: "an answer about the machine that had the name before is late, and initialises nobody",
    async run(world) {
      const old = await createInstance(world, "b-57", { addresses: [internal("10.57.0.1")] });
      const look = held(world.relay, "b-57");
      await createNode(world, "b-57");
      await look.isUnderWay;
      await world.kube.delete("/api/v1/nodes/b-57");
      await gone(world, "b-57");
      await world.cloud.remove(old.id);
      const machine = await createInstance(world, "b-57", {
        type: "m2",
        addresses: [internal("10.57.0.2")],
      });
      const { metadata } = await createNode(world, "b-57");
      await untilNode(world, "b-57", {
        check: (node) => same(node.metadata.uid, metadata.uid, "UID"),
      });
      look.release();
      await isOf(world, "b-57", {
        ...{ uid: metadata.uid, providerID: `sandbox://${machine.id}`, type: "m2" },
        address: "10.57.0.2",
      });
    },
  },
  {
    id: "B-51",
    title:
      "a Node whose taint somebody lifts before the cloud answers gets its identity all the same",
    async run(world) {
      const slow = await createInstance(world, "b-51", { addresses: [internal("10.51.0.1")] });
      const look = held(world.relay, "b-51");
      const first = await createNode(world, "b-51");
      await look.isUnderWay;
      await setTaints(world, "b-51", []);
      look.release();
      const late = await createNode(world, "b-51-late");
      await setTaints(world, "b-51-late", []);
      const machine = await createInstance(world, "b-51-late", {
        addresses: [internal("10.51.0.2")],
      });
      await isOf(world, "b-51", {
        ...{ uid: first.metadata.uid, providerID: `sandbox://${slow.id}`, type: "m1" },
        address: "10.51.0.1",
      });
      await isOf(world, "b-51-late", {
        ...{ uid: late.metadata.uid, providerID: `sandbox://${machine.id}`, type: "m1" },
        address: "10.51.0.2",
      });
    },
  },
];

/** Row B-59. */
export const INHERITED_IDENTITY: Scenario = onStage(
  "B-59",
  "a standby that saw the taint gives the Node its identity when the leader dies and somebody lifts the taint",
  async (stage) => {
    const way = await stage.relayedCloud();
    const leader = await stage.start({ name: "a", cloudConfig: way.config });
    const standby = await stage.start({ name: "b" });
    const machine = await createInstance(stage, stage.name, { addresses: [internal("10.59.0.1")] });
    const look = held(way.relay, stage.name);
    const { metadata } = await createNode(stage, stage.name);
    await look.isUnderWay;
    leader.child.kill("SIGKILL");
    await setTaints(stage, stage.name, []);
    await isOf(stage, stage.name, {
      ...{ uid: metadata.uid, providerID: `sandbox://${machine.id}`, type: "m1" },
      address: "10.59.0.1",
      withinMs: 60_000,
    });
    look.release();
    await standby.stop();
  },
);

interface Identity {
  readonly uid: string | undefined;
  readonly providerID: string;
  readonly type: string;
  readonly address: string;
  readonly withinMs?: number;
}

/** Waits until the Node is initialised, and holds that it never had another identity than that. */
async function isOf(
  scene: Pick<World, "nodes"> & Parameters<typeof untilNode>[0],
  name: string,
  { uid, providerID, type, address, withinMs = 30_000 }: Identity,
): Promise<void> {
  const node = await untilNode(scene, name, {
    withinMs,
    check: (now) => {
      same(now.metadata.uid, uid, "the UID");
      same(hasTaint(now, UNINITIALIZED.key), false, "whether it has the taint");
      same(Object.keys(cloudLabels(now)).length, 6, "how many labels of the cloud it has");
    },
  });
  same(labelsOf(node, TYPE), [type, type], "the type");
  same(node.spec.providerID, providerID, "the provider ID");
  same(node.status.addresses, [internal(address), hostname(name)], "the addresses");
}
