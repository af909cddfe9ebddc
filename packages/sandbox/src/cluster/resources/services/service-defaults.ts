import {
  isExternallyAccessible,
  type Service,
  type ServicePort,
  type ServiceSpec,
  type ServiceStatus,
  without,
} from "./service.ts";

const AFFINITY_SECONDS = 10_800;

/** Fills in upstream's defaults for every body that is read, before anything else. */
export function serviceDefaults(service: Service): Service {
  const spec = withPolicies(withAffinity(withBasics(service.spec)));
  const status = spec.type === "LoadBalancer" ? withIpModes(service.status) : service.status;
  return { ...service, spec, status };
}

function withBasics(spec: ServiceSpec): ServiceSpec {
  const { type = "ClusterIP", sessionAffinity = "None", ports } = spec;
  return {
    ...spec,
    type,
    sessionAffinity,
    ...(ports === undefined ? {} : { ports: ports.map(withTarget) }),
  };
}

function withTarget(port: ServicePort): ServicePort {
  const { protocol = "TCP", targetPort = 0 } = port;
  const isUnset = targetPort === 0 || targetPort === "";
  return { ...port, protocol, targetPort: isUnset ? port.port : targetPort };
}

function withAffinity(spec: ServiceSpec): ServiceSpec {
  if (spec.sessionAffinity === "None") return without(spec, "sessionAffinityConfig");
  const isGiven = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined;
  if (spec.sessionAffinity !== "ClientIP" || isGiven) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: AFFINITY_SECONDS } } };
}

const INTERNAL_TYPES = ["ClusterIP", "NodePort", "LoadBalancer"];

function withPolicies(spec: ServiceSpec): ServiceSpec {
  const { externalTrafficPolicy, internalTrafficPolicy, allocateLoadBalancerNodePorts } = spec;
  const type = spec.type ?? "";
  return {
    ...spec,
    ...(isExternallyAccessible(spec) && externalTrafficPolicy === undefined
      ? { externalTrafficPolicy: "Cluster" }
      : {}),
    ...(INTERNAL_TYPES.includes(type) && internalTrafficPolicy === undefined
      ? { internalTrafficPolicy: "Cluster" }
      : {}),
    ...(type === "LoadBalancer" && allocateLoadBalancerNodePorts === undefined
      ? { allocateLoadBalancerNodePorts: true }
      : {}),
  };
}

function withIpModes(status: ServiceStatus): ServiceStatus {
  const { ingress } = status.loadBalancer;
  if (ingress === undefined) return status;
  const modes = ingress.map((point) =>
    point.ip !== undefined && point.ipMode === undefined ? { ...point, ipMode: "VIP" } : point,
  );
  return { ...status, loadBalancer: { ingress: modes } };
}
