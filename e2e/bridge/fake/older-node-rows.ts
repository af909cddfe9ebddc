import { demand, same } from "../../harness/wait.ts";
import {
  addressesOf,
  type FakeEnvironment,
  type FakeRow,
  initialised,
  labelsOf,
  register,
  staysWaiting,
  untilNode,
} from "./environment.ts";
import type { Mishap } from "./state.ts";

const LABELS = [
  "beta.kubernetes.io/instance-type=m1",
  "failure-domain.beta.kubernetes.io/region=r1",
  "failure-domain.beta.kubernetes.io/zone=z1",
  "node.kubernetes.io/instance-type=m1",
  "topology.kubernetes.io/region=r1",
  "topology.kubernetes.io/zone=z1",
];
const ADDRESSES = ["InternalIP 10.0.0.1", "ExternalIP 198.51.100.1"];

/** Upstream's older interface of instances, with its zones. */
export const olderNodeRows: readonly FakeRow[] = [
  joins("N-33", "a Node gets the same as by the newer interface", {}),
  joins("N-34", "a provider without IDs gives a Node none", {
    mishap: ["InstanceID n-34", { notImplemented: true }],
    providerID: undefined,
  }),
  {
    ...{ id: "N-35", title: "a machine that is not found is waited for" },
    run: async (env) => {
      await register(env, "n-35");
      await staysWaiting(env, "n-35");
      env.cloud.put("n-35");
      await initialised(env, "n-35");
    },
  },
  joins("N-36", "addresses are asked for by name where they cannot be by ID", {
    mishap: ["NodeAddressesByProviderID fake://n-36", { error: "out of order" }],
  }),
];

/** The same without zones, which is told when the provider begins. */
export const zonelessRows: readonly FakeRow[] = [
  {
    ...{ id: "N-37", title: "without zones a Node gets no labels of them, and all else" },
    run: async (env) => {
      env.cloud.put("n-37");
      await register(env, "n-37");
      const wanted = LABELS.filter((label) => label.includes("instance-type"));
      same(labelsOf(await initialised(env, "n-37")), wanted, "the labels");
    },
  },
];

interface Joins {
  readonly mishap?: readonly [string, Mishap];
  readonly providerID?: string | undefined;
}

function joins(id: string, title: string, wanted: Joins): FakeRow {
  const name = id.toLowerCase();
  const run = async (env: FakeEnvironment) => {
    env.cloud.put(name);
    if (wanted.mishap !== undefined) env.cloud.befall(...wanted.mishap);
    await register(env, name);
    const node = await initialised(env, name);
    const providerID = "providerID" in wanted ? wanted.providerID : `fake://${name}`;
    same(node.spec.providerID, providerID, "the provider ID");
    same(labelsOf(node), LABELS, "the labels");
    await untilNode(env, name, (seen) => {
      const has = addressesOf(seen).filter((one) => !one.startsWith("Hostname"));
      demand(has.join() === ADDRESSES.join(), `the addresses are ${has.join()}`);
    });
  };
  return { id, title, run };
}
