import type { Instance } from "../../harness/cloud.ts";
import type { Flags } from "../../harness/controller.ts";
import { allRoutes, dropRoute, putRoute } from "../../harness/routes.ts";
import { same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import { warned } from "../environment/reported.ts";
import type { Scenario } from "../environment/scenario.ts";
import {
  CREATED,
  condition,
  dropNode,
  leadsTo,
  machine,
  NOT_CREATED,
  noRouteTo,
  ROUTE_FLAGS,
  register,
  routeStays,
} from "../route/objects.ts";

const FIRST = "10.120.200.0/24";
const SECOND = "10.120.201.0/24";

/** Rows T-07 to T-09: routes that upstream's manager, or somebody else, created before us. */
export const TAKEOVER_OF_ROUTES: readonly Scenario[] = isolatedRows({
  "T-07 routes to a node's pod range and machine are the node's own: kept as they are, and removed with it":
    async (env) => {
      const [first, second] = [await machine(env, "t-07-a"), await machine(env, "t-07-b")];
      const routes = [
        await unmarkedRoute(env, FIRST, first),
        await unmarkedRoute(env, SECOND, second),
      ];
      await registered(env, { first, second });
      await startRoutes(env);
      await condition(env, "t-07-a", CREATED);
      await condition(env, "t-07-b", CREATED);
      for (const route of routes) await routeStays(env, route, 2);
      await dropNode(env, "t-07-b");
      await noRouteTo(env, SECOND);
      await leadsTo(env, FIRST, first);
      same((await allRoutes(env.cloud)).length, 1, "the routes left");
    },
  "T-08 a route with one proof waits for consent: to the pod range alone it is not stolen, to the machine alone it is not removed":
    async (env) => {
      const [first, second] = [await machine(env, "t-08-a"), await machine(env, "t-08-b")];
      const theirs = await machine(env, "t-08-theirs");
      const ofRange = await unmarkedRoute(env, FIRST, theirs);
      const ofMachine = await unmarkedRoute(env, "10.120.209.0/24", second);
      await registered(env, { first, second });
      await startRoutes(env);
      await condition(env, "t-08-a", NOT_CREATED);
      await warned(env, "t-08-a", ["FailedToCreateRoute", FIRST, ofRange.id, "machine"]);
      await leadsTo(env, SECOND, second);
      for (const route of [ofRange, ofMachine]) await routeStays(env, route, 3);
      await dropRoute(env.cloud, ofRange.id);
      await leadsTo(env, FIRST, first);
      await condition(env, "t-08-a", CREATED);
    },
  "T-09 --adopt=report keeps its hands off every route without a mark, whatever becomes of its node":
    async (env) => {
      const [first, second] = [await machine(env, "t-09-a"), await machine(env, "t-09-b")];
      const routes = [
        await unmarkedRoute(env, FIRST, first),
        await unmarkedRoute(env, SECOND, second),
      ];
      await registered(env, { first, second });
      await startRoutes(env, { "--adopt": "report" });
      await condition(env, "t-09-a", CREATED);
      await dropNode(env, "t-09-b");
      for (const route of routes) await routeStays(env, route, 5);
    },
});

/** Creates a route as left by upstream's manager or somebody else. */
export function unmarkedRoute(env: IsolatedEnvironment, destination: string, { id }: Instance) {
  return putRoute(env.cloud, { destination, instanceId: id, name: `upstream ${destination}` });
}

async function registered(
  env: IsolatedEnvironment,
  { first, second }: { readonly first: Instance; readonly second: Instance },
): Promise<void> {
  await register(env, first, { podCIDRs: [FIRST] });
  await register(env, second, { podCIDRs: [SECOND] });
}

/** Runs only the route loop, with a period of one second. */
export function startRoutes(env: IsolatedEnvironment, flags: Flags = {}): Promise<Replica> {
  return env.start({ flags: { ...ROUTE_FLAGS, "--leader-elect": "false", ...flags } });
}
