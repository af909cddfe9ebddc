import { PARTS_MOST } from "@cloudwright/store/sql/lists/time-histogram";
import { type RouteMapColumns, routeMapOf } from "@cloudwright/store/views/route-map";
import { type TopologyNodesColumns, topologyNodesOf } from "@cloudwright/store/views/topology";
import { z } from "zod";
import {
  auditHistogramInput,
  clusterInput,
  initialisationInput,
  runsHistogramInput,
  topologyServicesInput,
} from "../routers/inputs.ts";
import {
  histogram,
  initialisation,
  initialisationParts,
  routeMap,
  topologyNodes,
  topologyServices,
} from "./answers/pictures.ts";
import { type ApiRoute, group } from "./api-route.ts";

/** As many as a page draws. */
const parts = z.number().int().min(1).max(PARTS_MOST).default(48);

/** Addresses of the data behind the pages' charts. */
export const PICTURE_ROUTES: readonly ApiRoute[] = [
  ...group("Topology and charts", [
    {
      path: "/clusters/{cluster}/topology/nodes",
      procedure: "topology.nodes",
      summary: "Each node with its zone, type and state, the worst first; at most 10,000.",
      input: clusterInput,
      answer: topologyNodes,
      shape: (answer) => topologyNodesOf(answer as TopologyNodesColumns),
    },
    {
      path: "/clusters/{cluster}/topology/services",
      procedure: "topology.services",
      summary:
        "Services with their load balancers, listeners and members: the worst 40 that the text selects.",
      input: topologyServicesInput,
      answer: topologyServices,
    },
    {
      path: "/clusters/{cluster}/route-map",
      procedure: "routes.map",
      summary: "Which pod range of which node is in which route table; at most 10,000 nodes.",
      input: clusterInput,
      answer: routeMap,
      shape: (answer) => routeMapOf(answer as RouteMapColumns),
    },
    {
      path: "/clusters/{cluster}/node-initialisation",
      procedure: "nodes.initialisation",
      summary:
        "How long nodes took to initialise, over time: without `from`, since the first that was initialised.",
      input: initialisationInput,
      answer: initialisation,
      shape: initialisationParts,
    },
    {
      path: "/clusters/{cluster}/runs-histogram",
      procedure: "runs.histogram",
      summary: "How many runs of a filter began when.",
      input: runsHistogramInput.extend({ parts }),
      answer: histogram,
    },
    {
      path: "/clusters/{cluster}/audit-histogram",
      procedure: "audit.histogram",
      summary: "How many audit entries of a filter were made when.",
      input: auditHistogramInput.extend({ parts }),
      answer: histogram,
    },
    {
      path: "/accounts/audit-histogram",
      procedure: "audit.histogram",
      summary: "The same of entries about accounts. Needs a token for all clusters.",
      input: auditHistogramInput.extend({ parts }),
      fixed: { cluster: "accounts" },
      answer: histogram,
    },
  ]),
];
