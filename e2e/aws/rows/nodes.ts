import { demand, eventually } from "../../harness/wait.ts";
import { type Row, row } from "../environment.ts";
import type { Side } from "../side.ts";

export const nodeRows: readonly Row[] = [
  row("A-N-01", "Nodes with provider IDs get their addresses, zones and types", async (side) => {
    await side.register(0, 3);
    return initialised(side, 0, 3);
  }),
  row("A-N-02", "a Node without a provider ID is found by its DNS name", async (side) => {
    await side.register(3, 1, ["--no-provider-id"]);
    return initialised(side, 3, 1);
  }),
];

const TAINT = "node.cloudprovider.kubernetes.io/uninitialized";

/** What the cloud says of these Nodes, once all of it is there: upstream removes the taint before it writes the addresses. */
export async function initialised(side: Side, first: number, count: number) {
  const names = side.lab.machines.slice(first, first + count).map(({ name }) => name);
  return eventually(() => names.map((name) => factsOf(side, name)), {
    withinMs: 60_000,
    on: side.nodes,
  });
}

function factsOf({ nodes }: Side, name: string) {
  const node = nodes.get(name);
  const isTainted = node?.spec.taints?.some(({ key }) => key === TAINT) ?? true;
  demand(!isTainted, `${name} is not initialised`);
  const addresses = (node?.status.addresses ?? []).map(({ type, address }) => `${type} ${address}`);
  demand(
    addresses.some((one) => one.startsWith("InternalDNS ")),
    `${name} has the addresses ${addresses.join()}`,
  );
  const labels = Object.entries(node?.metadata.labels ?? {}).filter(([key]) =>
    /instance-type|topology/.test(key),
  );
  return { providerID: node?.spec.providerID, addresses: addresses.sort(), labels: labels.sort() };
}
