import {
  allocatesNodePorts,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePort,
  nodePortsOf,
  type Service,
  type ServicePort,
  type ServiceSpec,
  without,
} from "./service.ts";

/** Keeps what the API server allocated when a client leaves it out, so that the same manifest can be applied repeatedly. */
export function withAllocatedValues(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  return withHealthPort(withNodePorts(withClusterIps(spec, before), before), before);
}

/** Completes the singular and the plural form of the cluster addresses, for clients that know only one of them. */
export function withBothClusterIpForms(spec: ServiceSpec, before?: ServiceSpec): ServiceSpec {
  const { clusterIP, clusterIPs = [] } = spec;
  if (before === undefined) {
    const isSingular = clusterIP !== undefined && clusterIPs.length === 0;
    return isSingular ? { ...spec, clusterIPs: [clusterIP] } : spec;
  }
  const { clusterIPs: old = [] } = before;
  if (clusterIP === before.clusterIP) {
    return clusterIPs.length === 0 && old.length > 0 ? { ...spec, clusterIPs: old } : spec;
  }
  if (!same(clusterIPs, old)) return spec;
  return clusterIP === undefined
    ? without(spec, "clusterIPs")
    : { ...spec, clusterIPs: [clusterIP] };
}

/**
 * Removes fields that a new type does not use, if the client left them unchanged; validation refuses the others. The load balancer's status
 * is removed at once, although deleting the load balancer takes time (spec/30 §6).
 */
export function withoutForeignFields(service: Service, before: Service): Service {
  const spec = withoutLoadBalancerFields(
    withoutPorts(withoutAddresses(service.spec, before.spec), before.spec),
    before.spec,
  );
  const wasLoadBalancer = before.spec.type === "LoadBalancer";
  const isLost = wasLoadBalancer && spec.type !== "LoadBalancer";
  const status = isLost ? { ...service.status, loadBalancer: {} } : service.status;
  return { ...service, spec, status };
}

/**
 * Returns the service as upstream shows it: the policy that it once filled in for external names is hidden, and addresses have both forms.
 */
export function settled(service: Service): Service {
  const spec = withBothClusterIpForms(service.spec);
  return spec.type === "ExternalName"
    ? { ...service, spec: without(spec, "internalTrafficPolicy") }
    : { ...service, spec };
}

export function same(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function withClusterIps(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  if (!needsClusterIp(spec) || !needsClusterIp(before)) return spec;
  const { clusterIP = before.clusterIP, clusterIPs } = spec;
  const all = (clusterIPs ?? []).length === 0 ? before.clusterIPs : clusterIPs;
  return {
    ...spec,
    ...(clusterIP === undefined ? {} : { clusterIP }),
    ...(all === undefined ? {} : { clusterIPs: all }),
  };
}

/** Matches ports by name: a client may have changed everything else about them. */
function withNodePorts(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  if (!allocatesNodePorts(spec) || !allocatesNodePorts(before)) return spec;
  const known = new Map((before.ports ?? []).map(({ name, nodePort }) => [name, nodePort]));
  const given = nodePortsOf(spec);
  const used = nodePortsOf(before).filter((port) => given.includes(port));
  const complete = (port: ServicePort): ServicePort => {
    const old = known.get(port.name);
    const isFree = old !== undefined && !used.includes(old);
    return port.nodePort === undefined && isFree ? { ...port, nodePort: old } : port;
  };
  return { ...spec, ports: (spec.ports ?? []).map(complete) };
}

function withHealthPort(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const { healthCheckNodePort } = before;
  const isLost =
    needsHealthCheckPort(spec) &&
    needsHealthCheckPort(before) &&
    spec.healthCheckNodePort === undefined;
  return isLost && healthCheckNodePort !== undefined ? { ...spec, healthCheckNodePort } : spec;
}

function withoutAddresses(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  if (!needsClusterIp(before) || needsClusterIp(spec)) return spec;
  const sameAddresses =
    spec.clusterIP === before.clusterIP && same(spec.clusterIPs ?? [], before.clusterIPs ?? []);
  const foreign: (keyof ServiceSpec)[] = [
    ...(sameAddresses ? (["clusterIP", "clusterIPs"] as const) : []),
    ...(same(spec.ipFamilies ?? [], before.ipFamilies ?? []) ? (["ipFamilies"] as const) : []),
    ...(spec.ipFamilyPolicy === before.ipFamilyPolicy ? (["ipFamilyPolicy"] as const) : []),
  ];
  return without(spec, ...foreign);
}

function withoutPorts(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const known = nodePortsOf(before);
  const isForeign = needsNodePort(before) && !needsNodePort(spec);
  const isUntouched = nodePortsOf(spec).every((port) => known.includes(port));
  const cleared =
    isForeign && isUntouched
      ? { ...spec, ports: (spec.ports ?? []).map(({ nodePort: _gone, ...port }) => port) }
      : spec;
  const dropsHealth =
    needsHealthCheckPort(before) &&
    !needsHealthCheckPort(spec) &&
    spec.healthCheckNodePort === before.healthCheckNodePort;
  return dropsHealth ? without(cleared, "healthCheckNodePort") : cleared;
}

const LOAD_BALANCER_FIELDS = ["allocateLoadBalancerNodePorts", "loadBalancerClass"] as const;

function withoutLoadBalancerFields(spec: ServiceSpec, before: ServiceSpec): ServiceSpec {
  const leaves = before.type === "LoadBalancer" && spec.type !== "LoadBalancer";
  const closes = isExternallyAccessible(before) && !isExternallyAccessible(spec);
  const dropsPolicy = closes && spec.externalTrafficPolicy === before.externalTrafficPolicy;
  const foreign: (keyof ServiceSpec)[] = [
    ...(leaves ? LOAD_BALANCER_FIELDS.filter((field) => spec[field] === before[field]) : []),
    ...(dropsPolicy ? (["externalTrafficPolicy"] as const) : []),
  ];
  return without(spec, ...foreign);
}
