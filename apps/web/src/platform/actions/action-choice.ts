import {
  type Action,
  actionFrom,
  isOwnWork,
  type ObjectAction,
  openerOf,
} from "@cloudwright/core/model/actions/action";
import type { SettingChange } from "@cloudwright/core/model/actions/setting-actions";
import {
  type ActionOn,
  type ControllerName,
  carrierFor,
  speakerFor,
} from "@cloudwright/core/model/controller-names";
import type { GuardStatus } from "@cloudwright/core/model/controls";
import { t } from "@cloudwright/core/model/language/text";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";

/** What a user wants done: the action without its end, which the dialog asks for. */
export interface ActionChoice {
  readonly cluster: string;
  readonly kind: Action["kind"];
  readonly controller: ControllerName;
  /** For a retry: every loop of the object that is not OK. If absent, only the controller's own loop. */
  readonly scope?: "object";
  readonly object: ObjectRef;
  /** A preview only: the dialog shows the plan and asks for nothing. */
  readonly isDryRun?: boolean;
  /** Replaces a hold, pause or override that would end soon. */
  readonly isExtension?: boolean;
  /** For a release of the deletion guard: exactly these nodes. */
  readonly nodes?: GuardStatus["held"];
  /** The cloud's id of the load balancer to adopt or remove. */
  readonly balancer?: string;
  /** The cloud's id of the route that a Node adopts. */
  readonly route?: string;
  /** For a setting: its name, its old and its new value; the new value is the current one if the dialog should ask for it. */
  readonly change?: SettingChange;
}

export interface NodeTarget {
  readonly cluster: string;
  /**
   * The controller whose state the page shows; the other controllers involved are retried as well. Holds and overrides belong to the node
   * controller.
   */
  readonly controller: ControllerName;
  readonly name: string;
  readonly uid: string;
}

/** What every controller does by itself. */
type OwnWork = "retry";

export function nodeAction(
  { cluster, controller, name, uid }: NodeTarget,
  kind: ActionOn<"Node"> | OwnWork,
): ActionChoice {
  const object = { kind: "Node", name, uid } as const;
  return isOwnWork({ kind })
    ? { cluster, kind, controller, scope: "object", object }
    : { cluster, kind, controller: carrierFor(kind, "Node"), object };
}

export interface ServiceTarget {
  readonly cluster: string;
  /** `namespace/name`. */
  readonly service: string;
  readonly uid: string;
}

/** `balancer` is the cloud's id of the one to adopt. */
export function serviceAction(
  { cluster, service, uid }: ServiceTarget,
  kind: ActionOn<"Service"> | OwnWork,
  loadBalancer?: string,
): ActionChoice {
  const [namespace = "", name = ""] = service.split("/");
  return {
    ...{ cluster, kind, controller: speakerFor("Service") },
    object: { kind: "Service", namespace, name, uid },
    ...(loadBalancer === undefined ? {} : { balancer: loadBalancer }),
  };
}

/** An orphan has no object in the cluster, so its name is the cloud's id. */
export function orphanRemoval(cluster: string, loadBalancer: string): ActionChoice {
  const object = { kind: "LoadBalancer", name: loadBalancer } as const;
  const controller = speakerFor("LoadBalancer");
  return { cluster, kind: "remove-orphan", controller, object, balancer: loadBalancer };
}

/** Repairs all differences in a node's routes, and its condition NetworkUnavailable; no other loop runs. */
export function routeRetry({ cluster, name, uid }: Omit<NodeTarget, "controller">): ActionChoice {
  const object = { kind: "Node", name, uid } as const;
  return { cluster, kind: "retry", controller: speakerFor("NodeRoutes"), object };
}

/** `route` is the cloud's id of the one to adopt. */
export function routeAdoption(
  { cluster, name, uid }: Omit<NodeTarget, "controller">,
  route: string,
): ActionChoice {
  const object = { kind: "Node", name, uid } as const;
  return { cluster, kind: "adopt", controller: carrierFor("adopt", "Node"), object, route };
}

/** Checks a route that no node asks for, and deletes it. It has no object in the cluster, so its name is the cloud's id. */
export function staleRouteRetry(cluster: string, route: string): ActionChoice {
  const object = { kind: "Route", name: route, uid: route } as const;
  return { cluster, kind: "retry", controller: speakerFor("Route"), object };
}

export interface VolumeTarget {
  readonly cluster: string;
  readonly name: string;
  readonly uid: string;
}

export function volumeRetry({ cluster, name, uid }: VolumeTarget): ActionChoice {
  const object = { kind: "PersistentVolume", name, uid } as const;
  return { cluster, kind: "retry", controller: speakerFor("PersistentVolume"), object };
}

export interface ObjectTarget {
  readonly cluster: string;
  /** The controller that works on it. */
  readonly controller: ControllerName;
  readonly object: ObjectRef;
}

/** Makes an action that a controller carries out on one of its objects. */
export function objectAction(target: ObjectTarget, kind: ObjectAction["kind"]): ActionChoice {
  return { ...target, kind };
}

export function dryRun(target: NodeTarget): ActionChoice {
  return { ...nodeAction(target, "retry"), isDryRun: true };
}

export function controllerAction(
  cluster: string,
  controller: ControllerName,
  kind: "pause" | "resume",
): ActionChoice {
  return { cluster, kind, controller, object: { kind: "Controller", name: controller } };
}

export function guardRelease(cluster: string, nodes: GuardStatus["held"]): ActionChoice {
  const controller = carrierFor("release-guard", "Controller");
  const object = { kind: "Controller", name: controller } as const;
  return { cluster, kind: "release-guard", controller, object, nodes };
}

/** Returns the label of the button that opens the dialog. */
export function openerOfChoice({ kind, isDryRun, isExtension }: ActionChoice): string {
  if (isDryRun === true) return t`Dry run`;
  return isExtension === true ? t`Extend…` : openerOf(kind);
}

/** Completes the action. `until` is in milliseconds since the epoch; only actions that end by themselves have it. */
export function actionOfChoice(
  { kind, nodes = [], balancer: loadBalancer, route, change }: ActionChoice,
  until: number,
): Action {
  const named = nodes.map(({ name, uid }) => ({ name, uid }));
  return actionFrom(kind, { until, nodes: named, balancer: loadBalancer, route, ...change });
}
