import { messageOf } from "../../model/values/message-of.ts";
import { ROUTE_BACKOFF } from "../../queue/backoff.ts";
import type { ReadMemoryStore } from "../../reconcile/memory-store.ts";
import { type ControllerModule, offered, SharedListing } from "../controller-module.ts";
import { ROUTE_METRICS, wordingOfRoutes } from "./conclude.ts";
import { startRouteController } from "./feed.ts";
import { ROUTE_GAUGES, showFigures } from "./gauges.ts";
import type { RouteMemory } from "./memory.ts";
import type { RoutePolicy } from "./observed.ts";
import { createRouteReconciler } from "./reconciler.ts";

interface Flags {
  readonly "cluster-name": string;
  readonly "route-condition": RoutePolicy["condition"];
  readonly "cluster-cidr": RoutePolicy["ranges"];
  readonly adopt: RoutePolicy["adopt"];
  readonly "adopt-consent": ReadonlyMap<string, string>;
  readonly "configure-cloud-routes": boolean;
}

/** The number of simultaneous calls to the cloud, as in upstream (spec/40 §2); a run makes one after the other. */
const MOST_AT_ONCE = 200;

/** Gives the pod ranges of nodes their routes (spec/40). */
export const routeModule: ControllerModule<Flags> = {
  name: "node-route-controller",
  needs: { ofProvider: "routes", flag: "configure-cloud-routes", ownsByCluster: true },
  watches: [],
  permissions: {
    part: "route",
    work: [
      {
        group: "",
        resource: "nodes/status",
        verbs: ["patch"],
        without: "nodes keep the condition NetworkUnavailable that they have",
      },
    ],
  },
  metrics: ROUTE_METRICS,
  gauges: ROUTE_GAUGES,
  followUps: {
    "node.pod-cidrs.write": "routes to the new pod ranges",
    "node.addresses.write": "routes to nodes with new addresses",
    "node.initialise": "routes to the nodes initialised",
    "node.delete": "removal of the deleted nodes' routes",
  },
  migratesAs: "route-controller",
  // The initialisation of nodes waits for their routes, whichever of the two controllers starts
  // first.
  beforeStart: ({ routesUnderWay }) => routesUnderWay.expect(),
  start: (context, run) => {
    const { flags, clock, log, clusterUid, cloud, provider, routesUnderWay, instruments } = context;
    const { instances } = cloud;
    const routes = offered(cloud.routes, "routes");
    const { abilities } = offered(provider.routes, "routes");
    const cluster = { clusterUid, clusterName: flags["cluster-name"] };
    const { "route-condition": condition, "cluster-cidr": ranges, adopt } = flags;
    const policy = { condition, ranges, adopt, consents: flags["adopt-consent"] };
    const { list, isRequesting, unseen } = new SharedListing("the routes", (signal) => {
      const run = { startedAt: clock.now(), signal, step: () => undefined };
      return routes.for(run).list({ maxAgeMs: 0, priority: "refresh" });
    });
    return run({
      concurrency: MOST_AT_ONCE,
      backoff: ROUTE_BACKOFF,
      wording: wordingOfRoutes,
      build: (means) => {
        const reconciler = createRouteReconciler({
          ...{ ...means, cluster, policy, routes, instances },
          ...abilities,
        });
        const feed = (memoryStore: ReadMemoryStore<RouteMemory>) =>
          startRouteController({
            ...{ ...means, reconciler, memoryStore, policy, list },
            underWay: routesUnderWay,
            period: context.controls.settings.of("route-reconciliation-period"),
            found: showFigures(instruments),
            onError: (error) =>
              log.warn({ error: messageOf(error) }, "The routes could not be listed"),
          });
        return {
          reconciler,
          feed,
          ended: (outcome, memory) => {
            reconciler.lastSeen.ended(outcome, memory);
            if (outcome.object.kind === "Node") routesUnderWay.end(outcome.object.name);
          },
          isRequesting,
          unseen,
        };
      },
    });
  },
};
