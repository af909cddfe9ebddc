import type { ClusterState } from "../resources/cluster-state.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject } from "../resources/metadata.ts";

/** The context of every operation. */
export type Registry = ClusterState;

export interface Written {
  readonly object: ApiObject;
  readonly created: boolean;
}

export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns the subject of messages about the resource: `nodes "x"`. */
export function resourceSubject(definition: ResourceDefinition, name?: string) {
  const { group, plural } = definition;
  return { group, kind: plural, ...(name === undefined ? {} : { name }) };
}

/** Returns the subject of messages about the object: `Node "x" is invalid`. A view uses the group of the resource it views: core. */
export function kindSubject(definition: ResourceDefinition, name: string) {
  const group = definition.view === undefined ? definition.group : "";
  return { group, kind: definition.kind, name };
}

/** Returns the object in the form that the resource's clients see. */
export function asSeen(definition: ResourceDefinition, object: ApiObject): ApiObject {
  return definition.view === undefined ? object : definition.view.fromStored(object);
}

export function asStored(definition: ResourceDefinition, object: ApiObject): ApiObject {
  return definition.view === undefined ? object : definition.view.toStored(object);
}
