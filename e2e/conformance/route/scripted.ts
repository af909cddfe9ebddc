import { existsSync, readFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import { createNode, internal } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { scripted } from "../environment/scripted-provider.ts";
import { CREATED, condition, ROUTE_FLAGS } from "./objects.ts";

interface Write {
  readonly action: "create" | "delete";
  readonly destination: string;
  readonly addresses: readonly { readonly address: string }[];
}

const OLD = internal("10.9.200.1");
const NEW = internal("10.9.200.2");
const OTHER = internal("10.9.200.3");

/** Rows: what the sandbox's table cannot express (spec/90 §0.1). */
export const SCRIPTED_ROUTES: readonly Scenario[] = [
  isolatedRow(
    "R-19",
    "a route with old addresses is deleted, then made with the new ones",
    async (env) => {
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
  ),
  isolatedRow("R-20", "old addresses are no matter where the cloud compares none", async (env) => {
    const writes = await start(env, { comparesAddresses: false });
    await addNode(env, "10.120.40.0/24", [OLD]);
    await condition(env, env.name, CREATED);
    await setAddresses(env, [NEW]);
    await staysAt(writes, 1);
  }),
  isolatedRow("R-21", "the same addresses in another order are the same", async (env) => {
    const writes = await start(env, { comparesAddresses: true });
    await addNode(env, "10.120.42.0/24", [OLD, OTHER]);
    await condition(env, env.name, CREATED);
    await setAddresses(env, [OTHER, OLD]);
    await staysAt(writes, 1);
  }),
  isolatedRow("R-35", "a range that the cloud writes in another way is the same", async (env) => {
    const destination = "fd00:120:0:35::/64";
    const writes = await start(env, {
      spelling: { [destination]: "fd00:0120:0000:0035:0000::/64" },
    });
    await addNode(env, destination, [OLD]);
    await condition(env, env.name, CREATED);
    await staysAt(writes, 1);
  }),
];

/** Answers what the provider was asked to write so far. */
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

/** Over some periods nothing more is written. */
async function staysAt(writes: () => readonly Write[], count: number): Promise<void> {
  await always(() => demand(writes().length === count, `written: ${JSON.stringify(writes())}`), {
    forMs: 4_000,
  });
}
