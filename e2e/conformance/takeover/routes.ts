import type { Instance } from "../../harness/cloud.ts";
import type { Flags } from "../../harness/controller.ts";
import { allRoutes, dropRoute, putRoute } from "../../harness/routes.ts";
import { same } from "../../harness/wait.ts";
import type { Scenario } from "../environment/scenario.ts";
import { onStage, type Replica, type Stage } from "../environment/stage.ts";
import { warned } from "../environment/told.ts";
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

/** Rows T-07 to T-09: routes that upstream's manager, or somebody else, made before us. */
export const TAKEOVER_OF_ROUTES: readonly Scenario[] = [
  onStage(
    "T-07",
    "routes to a node's pod range and machine are the node's own: kept as they are, and removed with it",
    async (stage) => {
      const [first, second] = [await machine(stage, "t-07-a"), await machine(stage, "t-07-b")];
      const routes = [
        await unmarkedRoute(stage, FIRST, first),
        await unmarkedRoute(stage, SECOND, second),
      ];
      await registered(stage, { first, second });
      await startRoutes(stage);
      await condition(stage, "t-07-a", CREATED);
      await condition(stage, "t-07-b", CREATED);
      for (const route of routes) await routeStays(stage, route, 2);
      await dropNode(stage, "t-07-b");
      await noRouteTo(stage, SECOND);
      await leadsTo(stage, FIRST, first);
      same((await allRoutes(stage.cloud)).length, 1, "the routes left");
    },
  ),

  onStage(
    "T-08",
    "a route with one proof waits for consent: to the pod range alone it is not stolen, to the machine alone it is not removed",
    async (stage) => {
      const [first, second] = [await machine(stage, "t-08-a"), await machine(stage, "t-08-b")];
      const theirs = await machine(stage, "t-08-theirs");
      const ofRange = await unmarkedRoute(stage, FIRST, theirs);
      const ofMachine = await unmarkedRoute(stage, "10.120.209.0/24", second);
      await registered(stage, { first, second });
      await startRoutes(stage);
      await condition(stage, "t-08-a", NOT_CREATED);
      await warned(stage, "t-08-a", ["FailedToCreateRoute", FIRST, ofRange.id, "machine"]);
      await leadsTo(stage, SECOND, second);
      for (const route of [ofRange, ofMachine]) await routeStays(stage, route, 3);
      await dropRoute(stage.cloud, ofRange.id);
      await leadsTo(stage, FIRST, first);
      await condition(stage, "t-08-a", CREATED);
    },
  ),

  onStage(
    "T-09",
    "--adopt=report keeps its hands off every route without a mark, whatever becomes of its node",
    async (stage) => {
      const [first, second] = [await machine(stage, "t-09-a"), await machine(stage, "t-09-b")];
      const routes = [
        await unmarkedRoute(stage, FIRST, first),
        await unmarkedRoute(stage, SECOND, second),
      ];
      await registered(stage, { first, second });
      await startRoutes(stage, { "--adopt": "report" });
      await condition(stage, "t-09-a", CREATED);
      await dropNode(stage, "t-09-b");
      for (const route of routes) await routeStays(stage, route, 5);
    },
  ),
];

/** A route as upstream's manager, or somebody else, leaves one. */
export function unmarkedRoute(stage: Stage, destination: string, { id }: Instance) {
  return putRoute(stage.cloud, { destination, instanceId: id, name: `upstream ${destination}` });
}

async function registered(
  stage: Stage,
  { first, second }: { readonly first: Instance; readonly second: Instance },
): Promise<void> {
  await register(stage, first, { podCIDRs: [FIRST] });
  await register(stage, second, { podCIDRs: [SECOND] });
}

/** With the route loop alone, which looks every second. */
export function startRoutes(stage: Stage, flags: Flags = {}): Promise<Replica> {
  return stage.start({ flags: { ...ROUTE_FLAGS, "--leader-elect": "false", ...flags } });
}
