import type { Grant } from "./authorizer.ts";

const CORE = { apiGroups: [""] };
const EVENTS: Grant = { ...CORE, resources: ["events"], verbs: ["create", "patch", "update"] };

/**
 * The rights that a cluster grants by default to the service accounts of upstream's controllers in kube-system, as far as this cluster has
 * the resources: `system:controller:…` of spec/00 §15.
 */
const CONTROLLER_ROLES: ReadonlyMap<string, readonly Grant[]> = new Map([
  [
    "node-controller",
    [
      {
        ...CORE,
        resources: ["nodes"],
        verbs: ["get", "list", "watch", "update", "delete", "patch"],
      },
      { ...CORE, resources: ["nodes/status"], verbs: ["patch", "update"] },
      { ...CORE, resources: ["pods/status"], verbs: ["update"] },
      { ...CORE, resources: ["pods"], verbs: ["list", "delete"] },
      EVENTS,
    ],
  ],
  [
    "service-controller",
    [
      { ...CORE, resources: ["services"], verbs: ["get", "list", "watch"] },
      { ...CORE, resources: ["services/status"], verbs: ["patch", "update"] },
      { ...CORE, resources: ["nodes"], verbs: ["list", "watch"] },
      EVENTS,
    ],
  ],
  [
    "route-controller",
    [
      { ...CORE, resources: ["nodes"], verbs: ["list", "watch"] },
      { ...CORE, resources: ["nodes/status"], verbs: ["patch"] },
      EVENTS,
    ],
  ],
]);

const OF_CONTROLLERS = "system:serviceaccount:kube-system:";

export function bootstrapRules(username: string): readonly Grant[] {
  if (!username.startsWith(OF_CONTROLLERS)) return [];
  return CONTROLLER_ROLES.get(username.slice(OF_CONTROLLERS.length)) ?? [];
}
