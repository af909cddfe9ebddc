import type { SeenRoutes } from "@cloudwright/core/cloud/routes/route-port";
import { wordingOfRoutes } from "@cloudwright/core/controllers/route/conclude";
import { startRouteController } from "@cloudwright/core/controllers/route/feed";
import type { RouteMemory } from "@cloudwright/core/controllers/route/memory";
import { createRouteReconciler } from "@cloudwright/core/controllers/route/reconciler";
import { ROUTE_BACKOFF } from "@cloudwright/core/queue/backoff";
import type { ReadMemories } from "@cloudwright/core/reconcile/memories";
import { isGateOn } from "../../flags/feature-gates.ts";
import { messageOf } from "../cluster/connect-cluster.ts";
import {
  type ControllerParts,
  type StartedController,
  startController,
} from "./started-controller.ts";

/** As many calls to the cloud at once as upstream makes (spec/40 §2); a run makes one after the other. */
const MOST_AT_ONCE = 200;
/** With the watch-based gate the periodic look is only the safety net (spec/40 §5, RW-6). */
const WATCH_PERIOD_MS = 300_000;
const WATCH_GATE = "CloudControllerManagerWatchBasedRoutesReconciliation";

/** Starts the controller that gives the pod ranges of nodes their routes (spec/40). */
export function startRoute(parts: ControllerParts): StartedController {
  const { foundation, cloud, clusterUid, routesUnderWay } = parts;
  const { flags, clock, log } = foundation;
  const { routes } = cloud;
  const abilities = cloud.provider.routes?.abilities;
  if (routes === undefined || abilities === undefined) {
    throw new Error("The provider has no routes, but their controller was started.");
  }
  const cluster = { clusterUid, clusterName: flags["cluster-name"] };
  const { "route-condition": condition, "cluster-cidr": ranges, adopt } = flags;
  const policy = { condition, ranges, adopt, consents: flags["adopt-consent"] };
  const isWatchBased = isGateOn(flags["feature-gates"], WATCH_GATE);
  let asking = 0;
  let unseen: string | undefined;
  const list = async (signal: AbortSignal): Promise<SeenRoutes> => {
    asking += 1;
    try {
      const run = { startedAt: clock.now(), signal, step: () => undefined };
      const seen = await routes.for(run).list({ maxAgeMs: 0, priority: "refresh" });
      unseen = undefined;
      return seen;
    } catch (error) {
      unseen = `the routes could not be listed: ${messageOf(error)}`;
      throw error;
    } finally {
      asking -= 1;
    }
  };
  return startController(parts, {
    name: "node-route-controller",
    concurrency: MOST_AT_ONCE,
    backoff: ROUTE_BACKOFF,
    wording: wordingOfRoutes,
    build: (means) => {
      const what = {
        cluster,
        policy,
        ...abilities,
        hasInstances: cloud.directory !== undefined,
      };
      const reconciler = createRouteReconciler({ ...means, ...what });
      const feed = (memories: ReadMemories<RouteMemory>) =>
        startRouteController({
          ...means,
          reconciler,
          memories,
          policy,
          underWay: routesUnderWay,
          periodMs: isWatchBased ? WATCH_PERIOD_MS : flags["route-reconciliation-period"],
          list,
          found: foundation.metrics.routes.found,
          onError: (error) =>
            log.warn({ error: messageOf(error) }, "The routes could not be listed"),
        });
      return {
        reconciler,
        feed,
        ended: (outcome, memory) => {
          reconciler.knowledge.ended(outcome, memory);
          if (outcome.object.kind === "Node") routesUnderWay.end(outcome.object.name);
        },
        isAsking: () => asking > 0,
        unseen: () => unseen,
      };
    },
  });
}
