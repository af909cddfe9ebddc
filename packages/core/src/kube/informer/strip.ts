import type { KubeObject, Node, Service } from "../client.ts";

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

/**
 * What of a Service nobody here reads. Most Services have no load balancer and never had one: of those only who they are
 * is kept. What kubectl writes down of an apply is as large as the object and no change of it.
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

/** One that a condition names may have had one. */
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
