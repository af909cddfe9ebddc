import type { KubeObject, Node, Service } from "../client.ts";

/** Removes the record of who wrote which field, which is large and unused here. */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata === undefined || !("managedFields" in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Removes the unused parts of a Node's status; images alone are half of a node's bytes. */
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

/**
 * Removes the unused parts of a Service. Most Services have no load balancer and never had one: only their identity is
 * kept. What kubectl records of an apply is as large as the object, and does not change it.
 */
export function stripService(service: Service): Service {
  const { metadata, spec = {}, status, ...rest } = service;
  const { labels: _labels, annotations = {}, ...kept } = metadata ?? {};
  if (!mayHaveLoadBalancer(service)) {
    return { ...rest, metadata: kept, spec: { type: spec.type ?? "ClusterIP" } };
  }
  const { [LAST_APPLIED]: _applied, ...others } = annotations;
  const { selector: _selector, ...asked } = spec;
  return {
    ...rest,
    metadata: { ...kept, annotations: others },
    spec: asked,
    ...(status === undefined ? {} : { status: stripStatus(status) }),
  };
}

/** A Service with a condition about it may have had one. */
function mayHaveLoadBalancer({ metadata, spec, status }: Service): boolean {
  if (spec?.type === "LoadBalancer" || (metadata?.finalizers ?? []).length > 0) return true;
  return (status?.conditions ?? []).length > 0;
}

function stripStatus({ loadBalancer, conditions }: NonNullable<Service["status"]>) {
  return {
    ...(loadBalancer === undefined ? {} : { loadBalancer }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
