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

/** What a user would have done: the action without the end, which the dialog asks for. */
export interface ActionChoice {
  readonly cluster: string;
  readonly kind: Action["kind"];
  readonly controller: ControllerName;
  /** Of a retry: for every loop of the object that is not OK. Absent: for the loop of the controller alone. */
  readonly scope?: "object";
  readonly object: ObjectRef;
  /** Only looked at: the dialog shows the plan and asks for nothing. */
  readonly isDryRun?: boolean;
  /** In the place of a hold, pause or override that would end soon. */
  readonly isExtension?: boolean;
  /** Of a release of the deletion guard: these very nodes. */
  readonly nodes?: GuardStatus["held"];
  /** The cloud's id of the load balancer that is to be adopted or removed. */
  readonly balancer?: string;
  /** The cloud's id of the route that a Node adopts. */
  readonly route?: string;
  /** Of a setting: which one, and from what to what; to what holds now where the dialog is to ask for the value. */
  readonly change?: SettingChange;
}

export interface NodeTarget {
  readonly cluster: string;
  /** Whose word the page shows: whoever else has to do with it is retried as well. Holds and overrides are the node controller's. */
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

/** `balancer`: the cloud's id of the one that is to be adopted. */
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

/** An orphan has no object in the cluster: the cloud's id is its name. */
export function orphanRemoval(cluster: string, loadBalancer: string): ActionChoice {
  const object = { kind: "LoadBalancer", name: loadBalancer } as const;
  const controller = speakerFor("LoadBalancer");
  return { cluster, kind: "remove-orphan", controller, object, balancer: loadBalancer };
}

/** Repairs all that differs of a node's routes, and its condition NetworkUnavailable; no other loop does anything. */
export function routeRetry({ cluster, name, uid }: Omit<NodeTarget, "controller">): ActionChoice {
  const object = { kind: "Node", name, uid } as const;
  return { cluster, kind: "retry", controller: speakerFor("NodeRoutes"), object };
}

/** `route`: the cloud's id of the one that is to be adopted. */
export function routeAdoption(
  { cluster, name, uid }: Omit<NodeTarget, "controller">,
  route: string,
): ActionChoice {
  const object = { kind: "Node", name, uid } as const;
  return { cluster, kind: "adopt", controller: carrierFor("adopt", "Node"), object, route };
}

/** Looks at a route that no node asks for, and deletes it. It has no object in the cluster: the cloud's id is its name. */
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
  /** Who works on it. */
  readonly controller: ControllerName;
  readonly object: ObjectRef;
}

/** What a controller carries out on an object of its own. */
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

/** What opens its dialog. */
export function openerOfChoice({ kind, isDryRun, isExtension }: ActionChoice): string {
  if (isDryRun === true) return t`Dry run`;
  return isExtension === true ? t`Extend…` : openerOf(kind);
}

/** The action in full. `until` in milliseconds since the epoch; only what ends by itself has one. */
export function actionOfChoice(
  { kind, nodes = [], balancer: loadBalancer, route, change }: ActionChoice,
  until: number,
): Action {
  const named = nodes.map(({ name, uid }) => ({ name, uid }));
  return actionFrom(kind, { until, nodes: named, balancer: loadBalancer, route, ...change });
}
