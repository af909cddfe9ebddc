import { same } from "../../harness/wait.ts";
import {
  createInstance,
  createNode,
  external,
  hostname,
  initialised,
  internal,
  nodeStays,
  PROVIDED_IP,
  patchNode,
  untouched,
} from "../environment/objects.ts";
import { row, type Scenario } from "../environment/scenario.ts";

/** Rows N-15 to N-22: the kubelet's node IP filters and orders the addresses. */
export const NODE_ADDRESSES: readonly Scenario[] = [
  providedAddress("N-15", {
    annotation: "10.15.0.1",
    cloud: [internal("10.15.0.1"), internal("10.15.0.2"), external("1.2.15.4")],
    wanted: [internal("10.15.0.1"), external("1.2.15.4"), hostname("n-15")],
  }),
  providedAddress("N-16", {
    annotation: "1.2.16.4",
    cloud: [internal("10.16.0.1"), external("1.2.16.4")],
    wanted: [external("1.2.16.4"), internal("10.16.0.1"), hostname("n-16")],
  }),
  row(
    "N-17",
    "a node IP that the cloud does not know keeps the taint until it does",
    async (env) => {
      const instance = await createInstance(env, "n-17", { addresses: [internal("10.17.0.1")] });
      await createNode(env, "n-17", { annotations: { [PROVIDED_IP]: "10.17.9.9" } });
      await nodeStays(env, "n-17", { check: untouched, forMs: 5_000 });
      await env.cloud.change(instance.id, {
        addresses: [internal("10.17.0.1"), internal("10.17.9.9")],
      });
      await initialised(env, "n-17");
    },
  ),
  row("N-18", "correcting an invalid node IP annotation initialises promptly", async (env) => {
    await createInstance(env, "n-18", { addresses: [internal("10.18.0.1")] });
    await createNode(env, "n-18", { annotations: { [PROVIDED_IP]: "invalid" } });
    await nodeStays(env, "n-18", { check: untouched, forMs: 5_000 });
    await patchNode(env, "n-18", { metadata: { annotations: { [PROVIDED_IP]: "10.18.0.1" } } });
    await initialised(env, "n-18", 2_000);
  }),
  providedAddress("N-19", {
    annotation: "10.19.0.1,fd00:19::5",
    cloud: [internal("fd00:19::5"), internal("10.19.0.1"), internal("10.19.0.2")],
    wanted: [internal("10.19.0.1"), internal("fd00:19::5"), hostname("n-19")],
  }),
  refusedAnnotation(
    "N-20",
    "10.20.0.1,fd00:20::5",
    "a dual-stack node IP of which the cloud has one family",
  ),
  refusedAnnotation("N-21", "10.21.0.1,10.21.0.2", "two node IPs of one family"),
  providedAddress("N-22", {
    annotation: "fd00:22::5",
    cloud: [internal("fd00:22:0:0:0:0:0:5")],
    wanted: [internal("fd00:22:0:0:0:0:0:5"), hostname("n-22")],
  }),
];

interface AddressCase {
  readonly annotation: string;
  readonly cloud: { type: string; address: string }[];
  readonly wanted: { type: string; address: string }[];
}

function providedAddress(id: string, { annotation, cloud, wanted }: AddressCase): Scenario {
  const name = id.toLowerCase();
  return {
    id,
    title: `with the node IP ${annotation} the addresses are filtered and ordered`,
    async run(env) {
      await createInstance(env, name, { addresses: cloud });
      await createNode(env, name, { annotations: { [PROVIDED_IP]: annotation } });
      const node = await initialised(env, name);
      same(node.status.addresses, wanted, "the addresses");
    },
  };
}

function refusedAnnotation(id: string, annotation: string, what: string): Scenario {
  const name = id.toLowerCase();
  const second = name.slice(2);
  return {
    id,
    title: `${what} keeps the taint`,
    async run(env) {
      const addresses = [internal(`10.${second}.0.1`), internal(`10.${second}.0.2`)];
      await createInstance(env, name, { addresses });
      await createNode(env, name, { annotations: { [PROVIDED_IP]: annotation } });
      await nodeStays(env, name, { check: untouched });
    },
  };
}
