import { demand } from "../../harness/wait.ts";
import {
  beReady,
  type FakeEnvironment,
  type FakeRow,
  holds,
  initialised,
  register,
  SHUTDOWN,
  taintsOf,
  untilEvent,
  untilGone,
  untilNode,
} from "./environment.ts";
import type { FakeState } from "./state.ts";

export const lifecycleRows: readonly FakeRow[] = [
  row("L-01", "a Node whose machine is gone is deleted once it is not ready", async (env, name) => {
    env.cloud.drop(name);
    await beReady(env, name, "False");
    await untilGone(env, name);
    await untilEvent(env, name, "DeletingNode");
  }),
  row("L-02", "also when its kubelet is silent", async (env, name) => {
    env.cloud.drop(name);
    await beReady(env, name, "Unknown");
    await untilGone(env, name);
  }),
  row("L-04", "one that is ready is never deleted", async (env, name) => {
    env.cloud.drop(name);
    await stays(env, name, []);
  }),
  row("L-05", "one whose machine runs is kept as it is", async (env, name) => {
    await beReady(env, name, "False");
    await stays(env, name, []);
  }),
  row("L-06", "one whose machine is stopped gets the taint, and is kept", async (env, name) => {
    await stopped(env, name);
  }),
  row("L-07", "and loses it once it is ready", async (env, name) => {
    await stopped(env, name);
    await beReady(env, name, "True");
    await untilNode(env, name, (node) =>
      demand(!taintsOf(node).includes(SHUTDOWN), "it has the taint still"),
    );
  }),
  row("L-08", "a ready one does not get it", async (env, name) => {
    env.cloud.put(name, { shutdown: true });
    await stays(env, name, []);
  }),
  row(
    "L-09",
    "a cloud that fails deletes nothing, and one that answers does",
    async (env, name) => {
      env.cloud.befall(`InstanceExists fake://${name}`, { error: "out of order" });
      env.cloud.drop(name);
      await beReady(env, name, "False");
      await stays(env, name, []);
      env.cloud.befall(`InstanceExists fake://${name}`, undefined);
      await untilGone(env, name);
    },
  ),
  row("L-10", "a power state that cannot be read is no shutdown", async (env, name) => {
    env.cloud.befall(`InstanceShutdown fake://${name}`, { error: "out of order" });
    env.cloud.put(name, { shutdown: true });
    await beReady(env, name, "False");
    await stays(env, name, []);
    env.cloud.befall(`InstanceShutdown fake://${name}`, undefined);
    await hasShutdownTaint(env, name);
  }),
  row("L-14", "gone is stronger than stopped", async (env, name) => {
    env.cloud.put(name, { shutdown: true });
    env.cloud.befall(`InstanceExists fake://${name}`, { notFound: true });
    await beReady(env, name, "False");
    await untilGone(env, name);
  }),
  row("L-25", "an absence that is reported as an error is one", async (env, name) => {
    env.cloud.befall(`InstanceExists fake://${name}`, { notFound: true });
    await beReady(env, name, "False");
    await untilGone(env, name);
  }),
  row("L-26", "a machine that runs again frees a Node that is not ready", async (env, name) => {
    await stopped(env, name);
    env.cloud.put(name);
    await untilNode(env, name, (node) =>
      demand(!taintsOf(node).includes(SHUTDOWN), "it has the taint still"),
    );
  }),
];

/** Its Node has a machine and is initialised when the row begins. */
function row(
  id: string,
  title: string,
  play: (env: FakeEnvironment, name: string) => Promise<unknown>,
): FakeRow {
  const name = id.toLowerCase();
  const run = async (env: FakeEnvironment) => {
    env.cloud.put(name);
    await register(env, name);
    await initialised(env, name);
    await play(env, name);
  };
  return { id, title, run };
}

/** With these taints and no others of the cloud's. */
async function stays(env: FakeEnvironment, name: string, taints: readonly string[]) {
  await holds(env, () => {
    const node = env.nodes.get(name);
    demand(node !== undefined, `${name} was deleted`);
    const has = taintsOf(node).filter((key) => key.includes("cloudprovider"));
    demand(has.join() === taints.join(), `its taints are ${has.join()}`);
  });
}

async function stopped(env: FakeEnvironment, name: string) {
  env.cloud.put(name, { shutdown: true });
  await beReady(env, name, "False");
  await hasShutdownTaint(env, name);
  await stays(env, name, [SHUTDOWN]);
}

async function hasShutdownTaint(env: FakeEnvironment, name: string) {
  await untilNode(env, name, (node) =>
    demand(taintsOf(node).includes(SHUTDOWN), "it has no taint"),
  );
}

/** Of upstream's older interface: a Node without a provider ID is asked for by its name. */
export const olderLifecycleRows: readonly FakeRow[] = [
  {
    ...{ id: "L-15", title: "a Node that never got an ID is deleted when no machine is found" },
    run: async (env) => {
      await register(env, "l-15", { ready: "False" });
      await untilGone(env, "l-15");
    },
  },
  unnamed("L-16", "one whose machine cannot be asked for is kept", (env, name) =>
    stays(env, name, []),
  ),
  row("L-17", "a provider that knows no power state leads to no taint", async (env, name) => {
    env.cloud.befall(`InstanceShutdown fake://${name}`, { notImplemented: true });
    env.cloud.put(name, { shutdown: true });
    await beReady(env, name, "False");
    await stays(env, name, []);
  }),
  unnamed("L-18", "a Node without an ID gets the taint of its stopped machine", hasShutdownTaint),
];

/** What the fake has to say of the Node that each of them is about. */
const OF_UNNAMED: Readonly<Record<string, (cloud: FakeState) => void>> = {
  "L-16": (cloud) => cloud.befall("InstanceID l-16", { error: "out of order" }),
  "L-18": (cloud) => cloud.put("l-18", { shutdown: true }),
};

/** Its Node is initialised, is not ready and has no provider ID. */
function unnamed(
  id: string,
  title: string,
  play: (env: FakeEnvironment, name: string) => Promise<unknown>,
): FakeRow {
  const name = id.toLowerCase();
  const run = async (env: FakeEnvironment) => {
    OF_UNNAMED[id]?.(env.cloud);
    await register(env, name, { isNew: false, ready: "False" });
    await play(env, name);
  };
  return { id, title, run };
}
