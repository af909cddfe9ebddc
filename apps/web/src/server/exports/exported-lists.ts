import type { ObjectKind, RowOf } from "@cloudwright/core/model/kinds/define-kind";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { nodeRoutesKind, staleRouteKind } from "@cloudwright/core/model/kinds/route";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import type { Database } from "@cloudwright/store/database/database";
import { mapPages } from "@cloudwright/store/exports/file-pieces";
import { intentPages } from "@cloudwright/store/intents/intents";
import { changePages } from "@cloudwright/store/queries/changes/changes";
import { orphanDetail } from "@cloudwright/store/queries/objects/load-balancers";
import { objectEventPages } from "@cloudwright/store/queries/objects/object-events";
import { routeRow } from "@cloudwright/store/queries/objects/routes";
import { listPages } from "@cloudwright/store/sql/lists/list";
import { type ObjectsInput, objectList } from "@cloudwright/store/sql/objects/objects";
import { FOREIGN_ROUTES } from "@cloudwright/store/sql/objects/routes";
import { SHADOW_PLANS } from "@cloudwright/store/sql/objects/shadow-plans";
import { RUNS } from "@cloudwright/store/sql/runs/runs";
import { ACTION_FIELDS } from "../../features/actions/action-fields.ts";
import { CHANGE_FIELDS } from "../../features/changes/change-fields.ts";
import { DRY_RUN_FIELDS } from "../../features/dry-run/dry-run-fields.ts";
import {
  LOAD_BALANCER_FIELDS,
  ORPHAN_FIELDS,
} from "../../features/load-balancers/load-balancer-fields.ts";
import { NODE_FIELDS } from "../../features/nodes/node-fields.ts";
import {
  FOREIGN_ROUTE_FIELDS,
  ROUTE_FIELDS,
  STALE_ROUTE_FIELDS,
} from "../../features/routes/route-fields.ts";
import { VOLUME_FIELDS } from "../../features/volumes/volume-fields.ts";
import { OBJECT_EVENT_FIELDS } from "../../platform/objects/object-event-fields.ts";
import { RUN_FIELDS } from "../../platform/runs/run-fields.ts";
import {
  changesInput,
  foreignRoutesInput,
  intentsInput,
  loadBalancersInput,
  nodesInput,
  objectEventsInput,
  orphansInput,
  routesInput,
  runsInput,
  shadowInput,
  staleRoutesInput,
  volumesInput,
} from "../routers/inputs.ts";
import { BUDGET_LISTS } from "./budget-lists.ts";
import { type ListOf, list, type OpenList } from "./open-list.ts";
import { WHOLE_LISTS } from "./whole-lists.ts";

const WORST_FIRST = { by: "state", descending: false } as const;
const OLDEST_FIRST = { by: "since", descending: false } as const;

/** Every list that can be exported, except the audit record, which has a file of its own. */
export const EXPORTED_LISTS: Readonly<Record<string, OpenList>> = {
  nodes: objects(nodeKind, { input: nodesInput, fields: NODE_FIELDS, usual: WORST_FIRST }),
  "load-balancers": objects(serviceKind, {
    input: loadBalancersInput,
    fields: LOAD_BALANCER_FIELDS,
    usual: WORST_FIRST,
  }),
  orphans: list({
    input: orphansInput,
    usual: OLDEST_FIRST,
    fields: ORPHAN_FIELDS,
    pages: (db, input) =>
      mapPages(listPages(db.pool, objectList(orphanKind, input.sort.by), input), (row) => ({
        ...row,
        detail: orphanDetail(row),
      })),
  }),
  routes: list({
    input: routesInput,
    usual: WORST_FIRST,
    fields: ROUTE_FIELDS,
    pages: (db, input) =>
      mapPages(listPages(db.pool, objectList(nodeRoutesKind, input.sort.by), input), routeRow),
  }),
  "stale-routes": objects(staleRouteKind, {
    input: staleRoutesInput,
    fields: STALE_ROUTE_FIELDS,
    usual: OLDEST_FIRST,
  }),
  "foreign-routes": list({
    input: foreignRoutesInput,
    usual: { by: "inRange", descending: false },
    fields: FOREIGN_ROUTE_FIELDS,
    pages: (db, input) => listPages(db.pool, FOREIGN_ROUTES, input),
  }),
  volumes: objects(volumeKind, { input: volumesInput, fields: VOLUME_FIELDS, usual: WORST_FIRST }),
  changes: list({
    input: changesInput,
    usual: { by: "kind", descending: false },
    fields: CHANGE_FIELDS,
    pages: (db, input) => changePages(db, { ...input, now: Date.now() }),
  }),
  events: list({
    input: objectEventsInput,
    usual: { by: "at", descending: true },
    fields: OBJECT_EVENT_FIELDS,
    pages: objectEventPages,
  }),
  runs: list({
    input: runsInput,
    usual: { by: "started", descending: true },
    fields: RUN_FIELDS,
    pages: (db, input) => listPages(db.pool, RUNS, input),
  }),
  actions: list({
    input: intentsInput,
    usual: { by: "requested", descending: true },
    fields: ACTION_FIELDS,
    pages: intentPages,
  }),
  "dry-run": list({
    input: shadowInput,
    usual: { by: "object", descending: false },
    fields: DRY_RUN_FIELDS,
    pages: (db, input) => listPages(db.pool, SHADOW_PLANS, input),
  }),
  ...BUDGET_LISTS,
  ...WHOLE_LISTS,
};

/** The list of an object kind whose fields use its rows unchanged. */
function objects<Kind extends ObjectKind>(
  kind: Kind,
  of: Omit<ListOf<Parameters<typeof objectsOf<Kind>>[2], RowOf<Kind>>, "pages">,
): OpenList {
  return list({ ...of, pages: (db, input) => objectsOf(db, kind, input) });
}

function objectsOf<Kind extends ObjectKind>(
  db: Database,
  kind: Kind,
  input: Omit<ObjectsInput<Kind>, "cursor" | "limit">,
) {
  return listPages(db.pool, objectList(kind, input.sort.by), input);
}
