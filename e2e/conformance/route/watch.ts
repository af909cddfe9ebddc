import { demand, eventually, same } from "../../harness/wait.ts";
import { patchNode } from "../environment/objects.ts";
import { row, type Scenario } from "../environment/scenario.ts";
import { CREATED, callsOf, condition, join, LIST, leadsTo } from "./objects.ts";

const GATE = "CloudControllerManagerWatchBasedRoutesReconciliation";

/** With these the periodic look is rare, and changes of nodes are acted upon (spec/40 §5). */
export const WATCH_FLAGS = { "--feature-gates": `${GATE}=true` } as const;

const QUIET_MS = 3_000;
const BURST = 50;

/** Rows, one after the other, as they count calls. */
export const ROUTE_WATCH: readonly Scenario[] = [
  row(
    "R-33",
    "a creation that failed is made within a minute though nothing else happens",
    async (env) => {
      await env.cloud.fault({ method: "POST", path: "/v1/routes", times: 1, status: 500 });
      const { instance } = await join(env, "r-33", ["10.120.66.0/24"]);
      await leadsTo(env, "10.120.66.0/24", instance);
      await condition(env, "r-33", CREATED);
    },
  ),
  row(
    "R-32",
    "a change of a node that is no matter to routes asks the cloud for nothing",
    async (env) => {
      await join(env, "r-32", ["10.120.64.0/24"]);
      await condition(env, "r-32", CREATED);
      await env.cloud.forgetCalls();
      for (const value of ["one", "two", "three"])
        await patchNode(env, "r-32", { metadata: { labels: { "example.com/round": value } } });
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      same((await env.cloud.calls()).total, 0, "calls to the cloud");
    },
  ),
  row(
    "R-31",
    "a new node is looked at within two seconds, and a burst of them shares few looks",
    async (env) => {
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
      const looks = await callsOf(env, LIST);
      demand(looks <= 3, `${looks} looks at the routes`);
    },
  ),
];
