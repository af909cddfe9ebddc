import { same } from "../../harness/wait.ts";
import { held } from "../environment/held-answers.ts";
import { isolatedRow } from "../environment/isolated.ts";
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
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";

/** Rows B-50, B-51, B-56, B-57 and B-59: which machine's facts a Node gets. These numbers are ours. */
export const NODE_IDENTITIES: readonly Scenario[] = rows({
  "B-50 a Node registered anew at once on another machine of its name gets that machine's facts":
    async (env) => {
      const old = await createInstance(env, "b-50", { addresses: [internal("10.50.0.1")] });
      await createNode(env, "b-50");
      await initialised(env, "b-50");
      await env.kube.delete("/api/v1/nodes/b-50");
      await env.cloud.remove(old.id);
      const machine = await createInstance(env, "b-50", {
        type: "m2",
        addresses: [internal("10.50.0.2")],
      });
      const { metadata } = await createNode(env, "b-50");
      await isOf(env, "b-50", {
        ...{ uid: metadata.uid, providerID: `sandbox://${machine.id}`, type: "m2" },
        address: "10.50.0.2",
      });
    },
  "B-56 a Node registered anew on its own machine gets the type that it has by now": async (
    env,
  ) => {
    for (const [index, name] of ["b-56-name", "b-56-id"].entries()) {
      const address = `10.56.0.${index + 1}`;
      const machine = await createInstance(env, name, { addresses: [internal(address)] });
      const providerID = `sandbox://${machine.id}`;
      const options = name === "b-56-id" ? { providerID } : {};
      await createNode(env, name, options);
      await initialised(env, name);
      await env.kube.delete(`/api/v1/nodes/${name}`);
      await env.cloud.change(machine.id, { type: "m2" });
      const { metadata } = await createNode(env, name, options);
      await isOf(env, name, { uid: metadata.uid, providerID, type: "m2", address });
    }
  },
  "B-57 an answer about the machine that had the name before is late, and initialises nobody":
    async (env) => {
      const old = await createInstance(env, "b-57", { addresses: [internal("10.57.0.1")] });
      const preview = held(env.relay, "b-57");
      await createNode(env, "b-57");
      await preview.isUnderWay;
      await env.kube.delete("/api/v1/nodes/b-57");
      await gone(env, "b-57");
      await env.cloud.remove(old.id);
      const machine = await createInstance(env, "b-57", {
        type: "m2",
        addresses: [internal("10.57.0.2")],
      });
      const { metadata } = await createNode(env, "b-57");
      await untilNode(env, "b-57", {
        check: (node) => same(node.metadata.uid, metadata.uid, "UID"),
      });
      preview.release();
      await isOf(env, "b-57", {
        ...{ uid: metadata.uid, providerID: `sandbox://${machine.id}`, type: "m2" },
        address: "10.57.0.2",
      });
    },
  "B-51 a Node whose taint somebody lifts before the cloud answers gets its identity all the same":
    async (env) => {
      const slow = await createInstance(env, "b-51", { addresses: [internal("10.51.0.1")] });
      const preview = held(env.relay, "b-51");
      const first = await createNode(env, "b-51");
      await preview.isUnderWay;
      await setTaints(env, "b-51", []);
      preview.release();
      const late = await createNode(env, "b-51-late");
      await setTaints(env, "b-51-late", []);
      const machine = await createInstance(env, "b-51-late", {
        addresses: [internal("10.51.0.2")],
      });
      await isOf(env, "b-51", {
        ...{ uid: first.metadata.uid, providerID: `sandbox://${slow.id}`, type: "m1" },
        address: "10.51.0.1",
      });
      await isOf(env, "b-51-late", {
        ...{ uid: late.metadata.uid, providerID: `sandbox://${machine.id}`, type: "m1" },
        address: "10.51.0.2",
      });
    },
});

/** Row B-59. */
export const INHERITED_IDENTITY: Scenario = isolatedRow(
  "B-59",
  "a standby that saw the taint gives the Node its identity when the leader dies and somebody lifts the taint",
  async (env) => {
    const way = await env.relayedCloud();
    const leader = await env.start({ name: "a", cloudConfig: way.config });
    const standby = await env.start({ name: "b" });
    const machine = await createInstance(env, env.name, { addresses: [internal("10.59.0.1")] });
    const preview = held(way.relay, env.name);
    const { metadata } = await createNode(env, env.name);
    await preview.isUnderWay;
    leader.child.kill("SIGKILL");
    await setTaints(env, env.name, []);
    await isOf(env, env.name, {
      ...{ uid: metadata.uid, providerID: `sandbox://${machine.id}`, type: "m1" },
      address: "10.59.0.1",
      withinMs: 60_000,
    });
    preview.release();
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

/** Waits until the Node is initialised, and checks that it never had another identity. */
async function isOf(
  env: Pick<SharedEnvironment, "nodes"> & Parameters<typeof untilNode>[0],
  name: string,
  { uid, providerID, type, address, withinMs = 30_000 }: Identity,
): Promise<void> {
  const node = await untilNode(env, name, {
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
