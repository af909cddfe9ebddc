import { existsSync, readFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import {
  createNode,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
  PROVIDED_IP,
  patchNode,
  UNINITIALIZED,
} from "../environment/objects.ts";
import { row, rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { scripted } from "../environment/scripted-provider.ts";
import {
  CREATED,
  callsOf,
  condition,
  hasCondition,
  join,
  LIST,
  leadsTo,
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
  ...isolatedRows({
    "R-26 with a provider that has no routes all else runs": async (env) => {
      const flags = scripted(env, "r-26", { offers: ["instances"] });
      const replica = await env.start({
        flags: { ...ROUTE_FLAGS, ...flags, "--controllers": "*", "--cluster-cidr": undefined },
      });
      same((await replica.ask("/healthz"))?.status, 200, "the health");
      await eventually(() =>
        demand(replica.output().includes("no routes are offered"), "it does not say why"),
      );
    },
    "R-27 routes that are turned off cause no call": async (env) => {
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
    },
    "R-46 a node that cannot be initialised gets its route all the same": async (env) => {
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
    "R-48 a new node is initialised when it has its route, so that no pod of it is out of reach":
      async (env) => {
        await slowRoutes(env, 2);
        await joinUninitialised(env, "r-48-before", "10.120.96.0/24");
        const replica = await env.start({ flags: { ...ROUTE_FLAGS, "--controllers": "*" } });
        hasCondition(await initialised(env, "r-48-before"), CREATED);
        demand(replica.output().includes("This process is now the leader"), "it does not lead");
        await joinUninitialised(env, "r-48", "10.120.95.0/24");
        hasCondition(await initialised(env, "r-48"), CREATED);
      },
  }),
];

/** With this many slow routes, a node that did not wait would be initialised before they are made. */
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

interface Write {
  readonly action: "create" | "delete";
  readonly destination: string;
  readonly addresses: readonly { readonly address: string }[];
}

const OLD = internal("10.9.200.1");
const NEW = internal("10.9.200.2");
const OTHER = internal("10.9.200.3");

/** Rows: what the sandbox's table cannot express (spec/90 §0.1). */
export const SCRIPTED_ROUTES: readonly Scenario[] = isolatedRows({
  "R-19 a route with old addresses is deleted, then made with the new ones": async (env) => {
    const writes = await start(env, { comparesAddresses: true });
    await addNode(env, "10.120.38.0/24", [OLD]);
    await condition(env, env.name, CREATED);
    await setAddresses(env, [NEW]);
    await eventually(() => {
      const [, second, third] = writes();
      same([second?.action, third?.action], ["delete", "create"], "what was written");
      same(third?.addresses, [NEW], "the addresses of the new route");
    });
  },
  "R-20 old addresses are no matter where the cloud compares none": async (env) => {
    const writes = await start(env, { comparesAddresses: false });
    await addNode(env, "10.120.40.0/24", [OLD]);
    await condition(env, env.name, CREATED);
    await setAddresses(env, [NEW]);
    await staysAt(writes, 1);
  },
  "R-21 the same addresses in another order are the same": async (env) => {
    const writes = await start(env, { comparesAddresses: true });
    await addNode(env, "10.120.42.0/24", [OLD, OTHER]);
    await condition(env, env.name, CREATED);
    await setAddresses(env, [OTHER, OLD]);
    await staysAt(writes, 1);
  },
  "R-35 a range that the cloud writes in another way is the same": async (env) => {
    const destination = "fd00:120:0:35::/64";
    const writes = await start(env, {
      spelling: { [destination]: "fd00:0120:0000:0035:0000::/64" },
    });
    await addNode(env, destination, [OLD]);
    await condition(env, env.name, CREATED);
    await staysAt(writes, 1);
  },
});

/** Starts a controller; returns a function that lists what the provider was asked to write so far. */
async function start(env: IsolatedEnvironment, routes: object): Promise<() => readonly Write[]> {
  const journal = pathOf(env.dir, "routes.jsonl");
  const script = { offers: ["routes"], journal, routes };
  await env.start({
    flags: { ...ROUTE_FLAGS, ...scripted(env, env.name, script), "--leader-elect": "false" },
  });
  return () =>
    existsSync(journal)
      ? readFileSync(journal, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Write)
      : [];
}

async function addNode(
  env: IsolatedEnvironment,
  podCIDR: string,
  addresses: { type: string; address: string }[],
): Promise<void> {
  const providerID = `scripted://${env.name}`;
  await createNode(env, env.name, { taints: [], providerID, addresses, podCIDRs: [podCIDR] });
}

async function setAddresses(
  { kube, name }: IsolatedEnvironment,
  addresses: readonly { type: string; address: string }[],
): Promise<void> {
  const path = `/api/v1/nodes/${name}/status`;
  await kube.patch(path, "merge", { status: { addresses } });
}

/** Checks that over some periods nothing more is written. */
async function staysAt(writes: () => readonly Write[], count: number): Promise<void> {
  await always(() => demand(writes().length === count, `written: ${JSON.stringify(writes())}`), {
    forMs: 4_000,
  });
}

const GATE = "CloudControllerManagerWatchBasedRoutesReconciliation";

/** With these flags the periodic check is rare, and changes of nodes trigger runs (spec/40 §5). */
export const WATCH_FLAGS = { "--feature-gates": `${GATE}=true` } as const;

const QUIET_MS = 3_000;
const BURST = 50;

/** Rows, one after the other, as they count calls. */
export const ROUTE_WATCH: readonly Scenario[] = rows({
  "R-33 a creation that failed is made within a minute though nothing else happens": async (
    env,
  ) => {
    await env.cloud.fault({ method: "POST", path: "/v1/routes", times: 1, status: 500 });
    const { instance } = await join(env, "r-33", ["10.120.66.0/24"]);
    await leadsTo(env, "10.120.66.0/24", instance);
    await condition(env, "r-33", CREATED);
  },
  "R-32 a change of a node that is no matter to routes asks the cloud for nothing": async (env) => {
    await join(env, "r-32", ["10.120.64.0/24"]);
    await condition(env, "r-32", CREATED);
    await env.cloud.forgetCalls();
    for (const value of ["one", "two", "three"])
      await patchNode(env, "r-32", { metadata: { labels: { "example.com/round": value } } });
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    same((await env.cloud.calls()).total, 0, "calls to the cloud");
  },
  "R-31 a new node is looked at within two seconds, and a burst of them shares few looks": async (
    env,
  ) => {
    const { instance } = await join(env, "r-31", ["10.120.62.0/24"]);
    const began = Date.now();
    await leadsTo(env, "10.120.62.0/24", instance);
    demand(Date.now() - began < 2_000, `it took ${Date.now() - began} ms`);
    await env.cloud.forgetCalls();
    const names = Array.from({ length: BURST }, (_, index) => `r-31-${index}`);
    const joined = names.map((name, index) =>
      join(env, name, [`fd00:120:0:${3_100 + index}::/64`]),
    );
    await Promise.all(joined);
    for (const name of names) await condition(env, name, CREATED);
    await eventually(async () => same(await callsOf(env, "POST /v1/routes"), BURST, "creations"));
    const previews = await callsOf(env, LIST);
    demand(previews <= 3, `${previews} looks at the routes`);
  },
});
