import { demand, eventually, same } from "../../harness/wait.ts";
import { patchNode } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { CREATED, callsOf, condition, join, LIST, leadsTo } from "./objects.ts";

const GATE = "CloudControllerManagerWatchBasedRoutesReconciliation";

/** With these the periodic look is rare, and changes of nodes are acted upon (spec/40 §5). */
export const WATCH_FLAGS = { "--feature-gates": `${GATE}=true` } as const;

const QUIET_MS = 3_000;
const BURST = 50;

/** Rows, one after the other, as they count calls. */
export const ROUTE_WATCH: readonly Scenario[] = [
  {
    id: "R-33",
    title: "a creation that failed is made within a minute though nothing else happens",
    async run(world) {
      await world.cloud.fault({ method: "POST", path: "/v1/routes", times: 1, status: 500 });
      const { instance } = await join(world, "r-33", ["10.120.66.0/24"]);
      await leadsTo(world, "10.120.66.0/24", instance);
      await condition(world, "r-33", CREATED);
    },
  },
  {
    id: "R-32",
    title: "a change of a node that is no matter to routes asks the cloud for nothing",
    async run(world) {
      await join(world, "r-32", ["10.120.64.0/24"]);
      await condition(world, "r-32", CREATED);
      await world.cloud.forgetCalls();
      for (const value of ["one", "two", "three"])
        await patchNode(world, "r-32", { metadata: { labels: { "example.com/round": value } } });
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      same((await world.cloud.calls()).total, 0, "calls to the cloud");
    },
  },
  {
    id: "R-31",
    title: "a new node is looked at within two seconds, and a burst of them shares few looks",
    async run(world) {
      const { instance } = await join(world, "r-31", ["10.120.62.0/24"]);
      const began = Date.now();
      await leadsTo(world, "10.120.62.0/24", instance);
      demand(Date.now() - began < 2_000, `it took ${Date.now() - began} ms`);
      await world.cloud.forgetCalls();
      const names = Array.from({ length: BURST }, (_, index) => `r-31-${index}`);
      const joined = names.map((name, index) =>
        join(world, name, [`fd00:120:0:${3_100 + index}::/64`]),
      );
      await Promise.all(joined);
      for (const name of names) await condition(world, name, CREATED);
      await eventually(async () =>
        same(await callsOf(world, "POST /v1/routes"), BURST, "creations"),
      );
      const looks = await callsOf(world, LIST);
      demand(looks <= 3, `${looks} looks at the routes`);
    },
  },
];
