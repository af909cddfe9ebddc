import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import {
  createNode,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
  PROVIDED_IP,
  UNINITIALIZED,
} from "../environment/objects.ts";
import { row, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { scripted } from "../environment/scripted-provider.ts";
import {
  CREATED,
  condition,
  hasCondition,
  join,
  machine,
  ROUTE_FLAGS,
  routeTo,
} from "./objects.ts";

/** Rows: what starts, and what does not. */
export const ROUTE_STARTS: readonly Scenario[] = [
  {
    id: "R-24",
    title: "routes without a range of the pods are refused",
    run: (env) =>
      refuses(env, { range: "", code: 255 }, ["--cluster-cidr is not set", "--configure-cloud"]),
  },
  row("R-25", "two IPv4 ranges, three ranges and what is no range are refused", async (env) => {
    const refused = (range: string, what: string) =>
      refuses(env, { range, code: 1 }, ["--cluster-cidr", what]);
    await refused("10.120.0.0/16,10.121.0.0/16", "one family");
    await refused("10.120.0.0/16,fd00::/48,10.121.0.0/16", "3 ranges");
    await refused("banana", "banana");
  }),
  isolatedRow("R-26", "with a provider that has no routes all else runs", async (env) => {
    const flags = scripted(env, "r-26", { offers: ["instances"] });
    const replica = await env.start({
      flags: { ...ROUTE_FLAGS, ...flags, "--controllers": "*", "--cluster-cidr": undefined },
    });
    same((await replica.ask("/healthz"))?.status, 200, "the health");
    await eventually(() =>
      demand(replica.output().includes("no routes are offered"), "it does not say why"),
    );
  }),
  isolatedRow("R-27", "routes that are turned off cause no call", async (env) => {
    const off = { "--configure-cloud-routes": "false", "--cluster-cidr": undefined };
    await env.start({ flags: { ...ROUTE_FLAGS, ...off } });
    await join(env, "r-27", ["10.120.54.0/24"]);
    await nodeStays(env, "r-27", {
      check: (node) => hasCondition(node, undefined),
      forMs: 3_000,
    });
    const { byOperation } = await env.cloud.calls();
    same(
      Object.keys(byOperation).filter((name) => name.includes("routes")),
      [],
      "calls on routes",
    );
  }),
  isolatedRow(
    "R-46",
    "a node that cannot be initialised gets its route all the same",
    async (env) => {
      await env.start({ flags: { ...ROUTE_FLAGS, "--controllers": "*" } });
      const { id, addresses } = await machine(env, "r-46");
      await createNode(env, "r-46", {
        taints: [UNINITIALIZED],
        annotations: { [PROVIDED_IP]: "10.99.99.99" },
        addresses: [internal(addresses[0]?.address ?? "")],
        podCIDRs: ["10.120.92.0/24"],
      });
      await condition(env, "r-46", CREATED);
      same((await routeTo(env, "10.120.92.0/24"))?.instanceId, id, "where the route leads to");
      await nodeStays(env, "r-46", { check: keepsTaint, forMs: 5_000 });
      await always(
        async () => demand((await routeTo(env, "10.120.92.0/24")) !== undefined, "gone"),
        {
          forMs: 1_000,
        },
      );
    },
  ),
  isolatedRow(
    "R-48",
    "a new node is initialised when it has its route, so that no pod of it is out of reach",
    async (env) => {
      await slowRoutes(env, 2);
      await joinUninitialised(env, "r-48-before", "10.120.96.0/24");
      const replica = await env.start({ flags: { ...ROUTE_FLAGS, "--controllers": "*" } });
      hasCondition(await initialised(env, "r-48-before"), CREATED);
      demand(replica.output().includes("This process is now the leader"), "it does not lead");
      await joinUninitialised(env, "r-48", "10.120.95.0/24");
      hasCondition(await initialised(env, "r-48"), CREATED);
    },
  ),
];

/** So many routes take long enough to be made that a node which did not wait would be initialised before. */
function slowRoutes(env: IsolatedEnvironment, times: number): Promise<unknown> {
  return env.cloud.fault({ method: "POST", path: "/v1/routes", times, latencyMs: 400 });
}

async function joinUninitialised(
  env: IsolatedEnvironment,
  name: string,
  podCIDR: string,
): Promise<void> {
  const { addresses } = await machine(env, name);
  await createNode(env, name, {
    taints: [UNINITIALIZED],
    addresses: [internal(addresses[0]?.address ?? "")],
    podCIDRs: [podCIDR],
  });
}

interface Refused {
  readonly range: string;
  readonly code: number;
}

async function refuses(
  env: SharedEnvironment,
  { range, code: wanted }: Refused,
  says: readonly string[],
): Promise<void> {
  const { code, output } = await env.startsAndEnds({
    ...ROUTE_FLAGS,
    "--cluster-cidr": range,
    "--secure-port": "0",
    "--leader-elect": "false",
  });
  same(code, wanted, `the exit code (${output})`);
  for (const text of says) demand(output.includes(text), `it does not say "${text}": ${output}`);
  demand(!/^\s+at /m.test(output), `it shows a stack: ${output}`);
}
