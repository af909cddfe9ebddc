import { speakerFor } from "@cloudwright/core/model/controller-names";
import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";
import type { ShownStep } from "./timeline-model.ts";

type ReportedNode = Pick<NodeDetail, "controllers" | "routes">;

/** What the route controller says of a node; undefined when it has not looked at it. */
export function routesPart({
  controllers,
}: Pick<NodeDetail, "controllers">): NodeControllerState | undefined {
  return controllers.find(({ controller }) => controller === speakerFor("NodeRoutes"));
}

/** The route as a step of the node's timeline: done when all its pod ranges have theirs. */
export function routeStep(node: ReportedNode): ShownStep | undefined {
  const part = routesPart(node);
  if (part === undefined || part.state === "gone") return undefined;
  const cells = node.routes?.cells ?? [];
  if (part.state === "ok" && cells.length > 0) return doneStep(part, cells);
  const { reason, since, failures, runId } = part;
  if (part.state === "stuck" || failures > 0) {
    return { step: "route", state: "failed", tries: failures, startedAt: since, reason, runId };
  }
  // Such as one that waits for its pod range.
  return { step: "route", state: "pending", tries: 0, reason, runId };
}

/** From our first change to our last one, in whose run; where we made none, since it was first seen so. */
function doneStep({ since, runId }: NodeControllerState, cells: readonly RouteCell[]): ShownStep {
  const changes = cells.flatMap(({ changedAt }) => changedAt ?? []);
  if (changes.length === 0) {
    return { step: "route", state: "done", tries: 1, startedAt: since, endedAt: since, runId };
  }
  const [startedAt, endedAt] = [Math.min(...changes), Math.max(...changes)];
  const last = cells.find(({ changedAt }) => changedAt === endedAt);
  return {
    step: "route",
    state: "done",
    tries: 1,
    startedAt,
    endedAt,
    runId: last?.runId ?? runId,
  };
}
