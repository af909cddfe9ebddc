import { listedIntentSchema } from "@cloudwright/core/model/actions/intent";
import { storedPartSchema } from "@cloudwright/core/model/kinds/known-object";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { nodeRoutesKind, staleRouteKind } from "@cloudwright/core/model/kinds/route";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import { reasonSchema } from "@cloudwright/core/model/reason";
import {
  loadBalancerDetailSchema,
  memberVerdictSchema,
} from "@cloudwright/core/model/records/load-balancer-record";
import { lifecycleDetailSchema } from "@cloudwright/core/model/records/machine-record";
import {
  nodeFactsSchema,
  objectStateSchema,
  timelineStepSchema,
} from "@cloudwright/core/model/records/node-record";
import {
  nodeRangesDetailSchema,
  nodeRoutesDetailSchema,
  routeCellSchema,
  routeTableDetailSchema,
} from "@cloudwright/core/model/records/route-record";
import { stateSchema } from "@cloudwright/core/model/state";
import { NODE_PARTS } from "@cloudwright/store/views/node-detail";
import { OBJECT_PARTS } from "@cloudwright/store/views/object-view";
import { z } from "zod";
import { initTimes, loadBalancerCounts, routeCounts } from "./clusters.ts";
import { named } from "./named.ts";
import { facets, objectCounts, objectSummary, pageOf, rowOf, time, unreadOf } from "./shared.ts";

const openIntents = z
  .array(listedIntentSchema)
  .meta({ description: "Users' actions that have not ended." });

const nodeRow = named("Node", rowOf(nodeKind));
export const nodes = named("Nodes", pageOf(nodeRow, { counts: objectCounts, facets }));

const nodeController = z
  .object(storedPartSchema.shape)
  .omit({ detail: true })
  .extend({ follows: z.string().optional() });

const NODE = objectStateSchema.def.innerType.shape.node.def.innerType.shape;

export const nodeDetail = named(
  "NodeDetail",
  z.object({
    row: nodeRow,
    createdAt: time.optional(),
    goneAt: time.optional(),
    controllers: z.array(nodeController),
    timeline: z.array(timelineStepSchema),
    taints: NODE.taints,
    node: z.optional(nodeFactsSchema),
    cloud: z.optional(nodeFactsSchema),
    wanted: z.optional(nodeFactsSchema),
    machine: lifecycleDetailSchema.def.innerType.shape.answer,
    ready: z.object({ status: z.string(), since: time.optional() }).optional(),
    kubeletVersion: z.string().optional(),
    routes: z.optional(nodeRoutesDetailSchema),
    ranges: z.optional(nodeRangesDetailSchema),
    fleet: initTimes.optional(),
    openIntents,
    unread: unreadOf(NODE_PARTS),
  }),
);

export const nodeLoadBalancers = named(
  "NodeLoadBalancers",
  z.object({
    balancers: z.array(
      z.object({
        service: z.string(),
        state: stateSchema,
        addresses: z.array(z.string()),
        verdict: memberVerdictSchema,
      }),
    ),
    behind: z.number(),
    total: z.number(),
  }),
);

const loadBalancerRow = named(
  "LoadBalancer",
  rowOf(serviceKind).extend({ namespace: z.string(), service: z.string() }),
);
export const loadBalancers = named(
  "LoadBalancers",
  pageOf(loadBalancerRow, { counts: loadBalancerCounts, facets }),
);
export const loadBalancerDetail = named(
  "LoadBalancerDetail",
  z.object({
    row: loadBalancerRow,
    createdAt: time.optional(),
    goneAt: time.optional(),
    detail: z.optional(loadBalancerDetailSchema),
    openIntents,
    unread: unreadOf(OBJECT_PARTS),
  }),
);
export const orphans = named(
  "OrphanedLoadBalancers",
  pageOf(rowOf(orphanKind).extend({ openIntents }), {
    ...{ counts: loadBalancerCounts, facets },
    unread: unreadOf(OBJECT_PARTS),
  }),
);

const routeRow = named(
  "NodeRoutes",
  rowOf(nodeRoutesKind)
    .omit({ detail: true })
    .extend({
      cells: z.array(routeCellSchema),
      condition: nodeRoutesDetailSchema.def.innerType.shape.condition,
      asOf: time.optional(),
    }),
);
export const routes = named(
  "Routes",
  pageOf(routeRow, {
    counts: routeCounts,
    facets,
    families: z.array(routeCellSchema.def.innerType.shape.family),
  }),
);
export const nodeRoutes = named(
  "RoutesOfNode",
  z.object({
    row: routeRow.optional(),
    ranges: z.optional(nodeRangesDetailSchema),
    goneAt: time.optional(),
    openIntents,
    unread: unreadOf(OBJECT_PARTS),
  }),
);

export const routeTable = named(
  "RouteTable",
  z
    .object(routeTableDetailSchema.def.innerType.shape)
    .omit({ kind: true, foreign: true })
    .extend({
      id: z.string(),
      state: stateSchema,
      reason: reasonSchema,
      since: time,
      forecast: z
        .object({
          routesPerNode: z.number(),
          nodesFit: z.number(),
          growth: z.object({ nodesPerDay: z.number(), days: z.number() }).optional(),
          fullInDays: z.number().optional(),
        })
        .optional(),
    }),
);

export const foreignRoutes = named(
  "ForeignRoutes",
  pageOf(
    z.object({
      table: z.string(),
      tableName: z.string(),
      id: z.string(),
      name: z.string(),
      destination: z.string(),
      nextHop: z.string().optional(),
      owner: z.string().optional(),
      blackhole: z.boolean(),
      inRange: z.boolean(),
    }),
    { unlisted: z.number() },
  ),
);

export const staleRoutes = named(
  "StaleRoutes",
  pageOf(rowOf(staleRouteKind).extend({ openIntents }), {
    ...{ counts: objectCounts, facets },
    unread: unreadOf(OBJECT_PARTS),
  }),
);

const volumeRow = named("Volume", rowOf(volumeKind));
export const volumes = named("Volumes", pageOf(volumeRow, { counts: objectCounts, facets }));
export const volumeDetail = named(
  "VolumeDetail",
  z.object({
    row: volumeRow,
    goneAt: time.optional(),
    openIntents,
    unread: unreadOf(OBJECT_PARTS),
  }),
);

export const objectView = named(
  "ObjectDetail",
  z.object({
    row: objectSummary
      .loose()
      .meta({ description: "With the additional members that rows of its kind have." }),
    createdAt: time.optional(),
    goneAt: time.optional(),
    openIntents,
    unread: unreadOf(OBJECT_PARTS),
  }),
);
