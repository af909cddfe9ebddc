import { listCommentedRuns } from "@cloudwright/store/comments/commented-lists";
import { takeoverOf } from "@cloudwright/store/queries/adoption/takeover";
import { budget } from "@cloudwright/store/queries/budget/budget";
import { listChanges } from "@cloudwright/store/queries/changes/changes";
import {
  listLoadBalancers,
  listOrphans,
  loadBalancerDetail,
} from "@cloudwright/store/queries/objects/load-balancers";
import { nodeDetail, nodeLoadBalancers } from "@cloudwright/store/queries/objects/node-detail";
import { listObjectEvents } from "@cloudwright/store/queries/objects/object-events";
import {
  listNodes,
  listVolumes,
  objectView,
  volumeDetail,
} from "@cloudwright/store/queries/objects/object-view";
import {
  listRoutes,
  listRouteTables,
  listStaleRoutes,
  nodeRoutes,
} from "@cloudwright/store/queries/objects/routes";
import {
  controllerActivity,
  processSettings,
} from "@cloudwright/store/queries/overview/controllers";
import { findAnything } from "@cloudwright/store/queries/overview/find";
import { overview } from "@cloudwright/store/queries/overview/overview";
import type { PartialInput } from "@cloudwright/store/queries/partial/part-reader";
import { runEvents } from "@cloudwright/store/queries/runs/run-events";
import { runDetail } from "@cloudwright/store/queries/runs/runs";
import { runsHistogram } from "@cloudwright/store/sql/lists/time-histogram";
import { initialisations } from "@cloudwright/store/sql/objects/initialisations";
import { routeMap } from "@cloudwright/store/sql/objects/route-map";
import { listForeignRoutes } from "@cloudwright/store/sql/objects/routes";
import { pendingOfShadow } from "@cloudwright/store/sql/objects/shadow-plans";
import { topologyNodes, topologyServices } from "@cloudwright/store/sql/objects/topology";
import type { z } from "zod";
import { loggedUnread } from "../requests/logged-unread.ts";
import { sharedReads } from "../requests/shared-reads.ts";
import { type Context, router, viewerProcedure } from "../trpc.ts";
import {
  budgetInput,
  changesInput,
  clusterInput,
  findInput,
  foreignRoutesInput,
  idInput,
  initialisationInput,
  loadBalancersInput,
  nameInput,
  nodesInput,
  objectEventsInput,
  objectInput,
  orphansInput,
  routesInput,
  runsHistogramInput,
  runsInput,
  serviceInput,
  shadowInput,
  staleRoutesInput,
  topologyServicesInput,
  volumesInput,
} from "./inputs.ts";

/** Queries that read only the ledger for a page: for each, its input and the query. */
export const viewRouters = {
  balancers: router({
    list: view(loadBalancersInput, listLoadBalancers),
    byName: view(serviceInput, loadBalancerDetail),
    orphans: view(orphansInput, listOrphans),
    ofNode: view(nameInput, nodeLoadBalancers),
  }),
  budget: router({
    byCluster: view(budgetInput, budget),
  }),
  changes: router({ list: view(changesInput, listChanges) }),
  controllers: router({
    activity: view(clusterInput, ({ pool }, input) => controllerActivity(pool, input)),
    settings: view(clusterInput, (ledger, { cluster }) => processSettings(ledger, cluster)),
  }),
  events: router({ ofObject: view(objectEventsInput, listObjectEvents) }),
  nodes: router({
    list: view(nodesInput, listNodes),
    byName: view(nameInput, nodeDetail),
    initialisation: view(initialisationInput, initialisations),
  }),
  objects: router({ byName: view(objectInput, objectView) }),
  overview: router({
    byCluster: view(clusterInput, overview),
  }),
  routes: router({
    list: view(routesInput, listRoutes),
    ofNode: view(nameInput, nodeRoutes),
    tables: view(clusterInput, listRouteTables),
    map: view(clusterInput, routeMap),
    foreign: view(foreignRoutesInput, listForeignRoutes),
    stale: view(staleRoutesInput, listStaleRoutes),
  }),
  runs: router({
    list: view(runsInput, listCommentedRuns),
    histogram: view(runsHistogramInput, runsHistogram),
    byId: view(idInput, runDetail),
    events: view(idInput, runEvents),
  }),
  search: router({ find: view(findInput, findAnything) }),
  shadow: router({ pending: view(shadowInput, pendingOfShadow) }),
  takeover: router({
    byCluster: view(clusterInput, (ledger, { cluster, onUnread }) =>
      takeoverOf(ledger, cluster, { onUnread }),
    ),
  }),
  topology: router({
    nodes: view(clusterInput, topologyNodes),
    services: view(topologyServicesInput, topologyServices),
  }),
  volumes: router({ list: view(volumesInput, listVolumes), byName: view(nameInput, volumeDetail) }),
};

/**
 * `now` is the server's time, in milliseconds since the epoch. The result depends only on the input, whoever asks, so concurrent requests
 * share one read.
 */
function view<Input extends z.ZodType<object>, Answer>(
  input: Input,
  read: (
    ledger: Context["ledger"],
    input: z.output<Input> & { readonly now: number } & PartialInput,
  ) => Promise<Answer>,
) {
  const share = sharedReads<Answer>();
  return viewerProcedure.input(input).query(({ ctx, input: given, path }) =>
    share(JSON.stringify(given), () =>
      read(ctx.ledger, {
        ...(given as z.output<Input>),
        now: Date.now(),
        onUnread: loggedUnread(path),
      }),
    ),
  );
}
