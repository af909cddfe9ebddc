import type { KubeObject, Node } from "./client.ts";

/** Takes away the record of who wrote which field: large, and read by nobody here. */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata === undefined || !("managedFields" in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** What of a Node's status nobody here reads; images alone are half of a node's bytes. */
export function stripNode(node: Node): Node {
  if (node.status === undefined) return node;
  const {
    images: _images,
    volumesInUse: _volumesInUse,
    volumesAttached: _volumesAttached,
    daemonEndpoints: _daemonEndpoints,
    runtimeHandlers: _runtimeHandlers,
    features: _features,
    config: _config,
    ...status
  } = node.status;
  return { ...node, status };
}
