import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { ChangeKind } from "@cloudwright/core/model/plan";
import type { PlanPreview } from "./planned-object.ts";

/** What a controller would do next, once a change of the plan is made. A plan looks at the cluster and the cloud as they are. */
export interface FollowUp {
  readonly after: ChangeKind;
  readonly controller: ControllerName;
  readonly what: string;
}

/** What follows from the changes of a plan, and is not in it, by the controllers that run; each once. */
export function followUpsOf({
  objects,
  running,
}: Pick<PlanPreview, "objects" | "running">): readonly FollowUp[] {
  const planned = new Set(objects.flatMap(({ run }) => run.changes.map(({ kind }) => kind)));
  const busy = new Set(objects.map(({ run }) => run.controller));
  return FOLLOW_UPS.filter(
    ({ after, controller }) =>
      planned.has(after) &&
      running.includes(controller) &&
      // Without a Service no members change.
      (controller !== SERVICES || busy.has(SERVICES)),
  );
}

const ROUTES = "node-route-controller";
const SERVICES = "service-lb-controller";

const FOLLOW_UPS: readonly FollowUp[] = [
  { after: "node.pod-cidrs.write", controller: ROUTES, what: "routes to the new pod ranges" },
  { after: "node.addresses.write", controller: ROUTES, what: "routes to nodes with new addresses" },
  { after: "node.initialise", controller: ROUTES, what: "routes to the nodes initialised" },
  { after: "node.delete", controller: ROUTES, what: "removal of the deleted nodes' routes" },
  { after: "node.initialise", controller: SERVICES, what: "nodes initialised as members" },
  { after: "node.delete", controller: SERVICES, what: "removal of the deleted nodes as members" },
  { after: "balancer.create", controller: SERVICES, what: "addresses of new load balancers" },
  { after: "volume.grow", controller: "volume-label-controller", what: "sizes of grown volumes" },
];
