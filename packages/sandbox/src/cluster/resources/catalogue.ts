import { mutatingWebhooks } from "./admission/mutating-webhooks.ts";
import { configMaps } from "./config-map.ts";
import type { ResourceDefinition } from "./definition.ts";
import { endpointSlices } from "./endpoints/endpoint-slice.ts";
import { endpoints } from "./endpoints/endpoints.ts";
import { events } from "./event.ts";
import { newEvents } from "./event-view.ts";
import { leases } from "./lease.ts";
import { namespaces } from "./namespace.ts";
import { nodes } from "./node.ts";
import { pods } from "./pod.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "./rbac.ts";
import { secrets } from "./secret.ts";
import { serviceAccounts } from "./service-account.ts";
import { services } from "./services/services.ts";
import { persistentVolumes } from "./volumes/persistent-volume.ts";
import { persistentVolumeClaims } from "./volumes/persistent-volume-claim.ts";
import { storageClasses } from "./volumes/storage-class.ts";

/** Every stored resource. A new one is a file in this folder and an entry here. */
export const CATALOGUE: readonly ResourceDefinition[] = [
  configMaps,
  endpoints,
  events,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  secrets,
  serviceAccounts,
  services,
  leases,
  endpointSlices,
  storageClasses,
  mutatingWebhooks,
  newEvents,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
];

const BY_PATH = new Map(
  CATALOGUE.map((definition) => [
    pathOf(definition.group, definition.version, definition.plural),
    definition,
  ]),
);

export function findResource(
  group: string,
  version: string,
  plural: string,
): ResourceDefinition | undefined {
  return BY_PATH.get(pathOf(group, version, plural));
}

export function apiVersionOf(definition: ResourceDefinition): string {
  const { group, version } = definition;
  return group === "" ? version : `${group}/${version}`;
}

function pathOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
