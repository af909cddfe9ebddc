import { fleetFindInput } from "../routers/inputs.ts";
import { fleetFound, fleetSettings, savedViews, sharedCauses } from "./answers/fleet.ts";
import { type ApiRoute, asRows, group } from "./api-route.ts";

/** Addresses that query all clusters at once, limited to those that the token may see. */
export const FLEET_ROUTES: readonly ApiRoute[] = [
  ...group("All clusters together", [
    {
      path: "/fleet/search",
      procedure: "fleet.find",
      summary:
        "What a text means in any cluster: part of a name or an address, the id of a machine, a call, a run or an action.",
      input: fleetFindInput,
      answer: fleetFound,
    },
    {
      path: "/fleet/causes",
      procedure: "fleet.causes",
      summary: "What is stuck or held for the same reason in two clusters or more.",
      answer: sharedCauses,
      shape: asRows,
    },
    {
      path: "/fleet/settings",
      procedure: "fleet.settings",
      summary: "Versions of all clusters, and the flags that are not the same in all of them.",
      answer: fleetSettings,
    },
  ]),
];

export const SAVED_VIEW_ROUTES: readonly ApiRoute[] = group("Saved views", [
  {
    path: "/saved-views",
    procedure: "savedViews.list",
    summary:
      "Views that the token's user has saved, and those that others share. A service token has none of its own.",
    answer: savedViews,
    shape: asRows,
  },
]);
