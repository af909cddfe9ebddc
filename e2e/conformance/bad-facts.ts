import { same } from "../harness/wait.ts";
import {
  createInstance,
  createNode,
  hostname,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
  PROVIDED_IP,
  seen,
  untilNode,
} from "./objects.ts";
import type { Scenario } from "./scenario.ts";
import { recorded, warned } from "./told.ts";

/** Rows B-01 to B-05: what nodes and clouds say wrongly. Numbers are ours; spec/90 has no such table. */
export const WRONG_FACTS: readonly Scenario[] = [
  {
    id: "B-01",
    title: "a malformed provider ID is told with the form that it should have, and deletes nothing",
    async run(world) {
      const ids = ["no-url", "sandbox://", "sandbox://a b"];
      const names = ids.map((_, index) => `b-01-${index}`);
      for (const [index, providerID] of ids.entries())
        await createNode(world, names[index] ?? "", { providerID, ready: "False" });
      for (const [index, name] of names.entries()) {
        const providerID = ids[index] ?? "";
        await warned(world, name, ["ProviderIDMalformed", providerID, "sandbox://"]);
        await recorded(world, name, { code: "ProviderIDMalformed", providerID });
      }
      await Promise.all(
        names.map((name) => nodeStays(world, name, { check: keepsTaint, forMs: 5_000 })),
      );
    },
  },
  {
    id: "B-02",
    title: "of two nodes with one provider ID the second waits and names the first",
    async run(world) {
      const instance = await createInstance(world, "b-02-a", {
        addresses: [internal("10.52.2.1")],
      });
      await createNode(world, "b-02-a");
      await initialised(world, "b-02-a");
      const version = seen(world, "b-02-a").metadata.resourceVersion;
      const providerID = `sandbox://${instance.id}`;
      await createNode(world, "b-02-b", { providerID });
      await warned(world, "b-02-b", ["ProviderIDDuplicate", "b-02-a", providerID]);
      await recorded(world, "b-02-b", { code: "ProviderIDDuplicate", other: "b-02-a", providerID });
      await nodeStays(world, "b-02-b", { check: keepsTaint, forMs: 3_000 });
      same(seen(world, "b-02-a").metadata.resourceVersion, version, "the first node's version");
      await world.kube.delete("/api/v1/nodes/b-02-a");
      await initialised(world, "b-02-b");
    },
  },
  {
    id: "B-03",
    title:
      "an instance without addresses initialises its node, which keeps its own, and that is told",
    async run(world) {
      const instance = await createInstance(world, "b-03", { addresses: [] });
      await createNode(world, "b-03");
      const node = await initialised(world, "b-03");
      same(node.status.addresses, [hostname("b-03")], "the addresses");
      await recorded(world, "b-03", { code: "AddressesMissing" });
      await warned(world, "b-03", ["AddressesMissing", "no address"]);
      await world.cloud.change(instance.id, { addresses: [internal("10.52.3.1")] });
      const wanted = [internal("10.52.3.1"), hostname("b-03")];
      await untilNode(world, "b-03", {
        check: (now) => same(now.status.addresses, wanted, "the addresses"),
      });
    },
  },
  {
    id: "B-04",
    title: "an address that the cloud lists twice keeps the taint and is named, until there is one",
    async run(world) {
      const twice = [internal("10.52.4.1"), internal("10.52.4.1")];
      const instance = await createInstance(world, "b-04", { addresses: twice });
      await createNode(world, "b-04");
      await warned(world, "b-04", ["AddressDuplicate", "InternalIP 10.52.4.1"]);
      await recorded(world, "b-04", { code: "AddressDuplicate", address: "10.52.4.1" });
      keepsTaint(seen(world, "b-04"));
      await world.cloud.change(instance.id, { addresses: [internal("10.52.4.1")] });
      await initialised(world, "b-04");
    },
  },
  {
    id: "B-05",
    title: "a node IP that the cloud does not know is told beside those that it knows",
    async run(world) {
      await createInstance(world, "b-05", { addresses: [internal("10.52.5.1")] });
      await createNode(world, "b-05", { annotations: { [PROVIDED_IP]: "10.52.5.9" } });
      await warned(world, "b-05", ["ProvidedNodeIPUnknown", "10.52.5.9", "10.52.5.1"]);
      await recorded(world, "b-05", { code: "ProvidedNodeIPUnknown", wanted: "10.52.5.9" });
      await createNode(world, "b-05-b", { annotations: { [PROVIDED_IP]: "10.52.5.1,,x" } });
      await createInstance(world, "b-05-b", { addresses: [internal("10.52.5.2")] });
      await warned(world, "b-05-b", ["ProvidedNodeIPInvalid", "10.52.5.1,,x"]);
      for (const name of ["b-05", "b-05-b"]) keepsTaint(seen(world, name));
    },
  },
];
