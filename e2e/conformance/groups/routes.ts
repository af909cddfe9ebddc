import type { Group } from "../environment/scenario.ts";
import { WRONG_ROUTES } from "../route/bad-routes.ts";
import { ROUTE_CREATION } from "../route/creation.ts";
import { ROUTE_FAULTS } from "../route/faults.ts";
import { ROUTE_FLAGS } from "../route/objects.ts";
import { ROUTE_STARTS, ROUTE_WATCH, SCRIPTED_ROUTES, WATCH_FLAGS } from "../route/starting.ts";

/** Routes to the pods of nodes. */
export const ROUTE_GROUPS: readonly Group[] = [
  { name: "routes", flags: ROUTE_FLAGS, ledger: true, scenarios: ROUTE_CREATION },
  { name: "routes that fail", flags: ROUTE_FLAGS, atOnce: 1, scenarios: ROUTE_FAULTS },
  {
    name: "routes by watch",
    flags: { ...ROUTE_FLAGS, ...WATCH_FLAGS },
    atOnce: 1,
    scenarios: ROUTE_WATCH,
  },
  {
    name: "starting with routes",
    flags: {},
    ownControllers: true,
    atOnce: 1,
    scenarios: [...ROUTE_STARTS, ...SCRIPTED_ROUTES],
  },
  { name: "bad routes", flags: ROUTE_FLAGS, ledger: true, atOnce: 1, scenarios: WRONG_ROUTES },
];
