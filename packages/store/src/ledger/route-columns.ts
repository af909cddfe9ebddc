import { causeOfPart } from "@cloudwright/core/model/deepest-cause";
import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import { reasonName } from "@cloudwright/core/model/reason";
import {
  type NodeRoutesDetail,
  nodeRoutesDetailSchema,
  routeTableDetailSchema,
  staleRouteDetailSchema,
} from "@cloudwright/core/model/route-record";
import { STATES, type State } from "@cloudwright/core/model/state";
import { readJson } from "../queries/stored-json.ts";
import type { Expected } from "./expected-controllers.ts";
import { countedParts, partOf, type ShownPart } from "./shown-part.ts";

const ROUTES = "node-route-controller";

/** What the columns of routes hold for all that is no Node, and for a Node that the route controller has not looked at. */
export const NO_ROUTES = {
  route_rank: null,
  route_since: null,
  route_drift: null,
  route_reason_code: null,
  route_table: "",
  routes_wanted: null,
  routes_kept: null,
  route_verdicts: [],
} as const;

/**
 * What the list of routes is filtered and sorted by, out of a Node's part under the route controller. A Node that it is
 * still to look at counts as well, so that routes and nodes are counted from the same rows.
 */
export function nodeRouteColumns(object: KnownObject, shown: State, expected: Expected): object {
  const part = partOf(object, expected, ROUTES);
  if (part === undefined) return NO_ROUTES;
  const reported = object.parts[ROUTES];
  const cells = routesDetail(reported?.detail)?.cells ?? [];
  return {
    route_rank: STATES.indexOf(routeState(part, { object, shown, expected })),
    route_since: part.since,
    route_drift: reported?.drift ?? "notChecked",
    route_reason_code: reasonName(part.reason),
    route_table: cells.find(({ route }) => route !== undefined)?.route?.table ?? "",
    routes_wanted: cells.filter(({ verdict }) => verdict !== "remove").length,
    routes_kept: cells.filter(({ verdict }) => verdict === "keep").length,
    route_verdicts: [...new Set(cells.map(({ verdict }) => verdict))],
  };
}

/** A node that is gone asks for no route, whoever saw it go; what follows from its machine raises no alarm of its own. */
function routeState(
  part: ShownPart,
  {
    object,
    shown,
    expected,
  }: {
    readonly object: KnownObject;
    readonly shown: State;
    readonly expected: Expected;
  },
): State {
  if (shown === "gone") return shown;
  const cause = causeOfPart(part, countedParts(object, expected));
  return cause === undefined ? part.state : "waiting";
}

/** What a Node is found by besides its name and addresses. */
export function routeWords({ parts }: KnownObject): readonly string[] {
  return (routesDetail(parts[ROUTES]?.detail)?.cells ?? []).flatMap(({ cidr, route }) => [
    cidr,
    route?.id ?? "",
  ]);
}

/** What a stale route, or a table, is found by besides its id. */
export function cloudRouteWords({ detail }: KnownObject): readonly string[] {
  const stale = readJson(staleRouteDetailSchema, detail, undefined);
  if (stale !== undefined) return [stale.destination, stale.nextHop ?? "", stale.owner ?? ""];
  return [readJson(routeTableDetailSchema, detail, undefined)?.tableName ?? ""];
}

function routesDetail(detail: unknown): NodeRoutesDetail | undefined {
  return readJson(nodeRoutesDetailSchema, detail, undefined);
}
