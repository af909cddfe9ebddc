import type { Holdings } from "../../allocations/allocations.ts";
import {
  always,
  boolean,
  type Infer,
  integer,
  intOrString,
  list,
  mapOf,
  nullable,
  struct,
  text,
  time,
} from "../../schema/schema.ts";
import { objectMeta } from "../metadata.ts";

const servicePort = struct(
  "ServicePort",
  {
    name: text,
    protocol: text,
    appProtocol: nullable(text),
    port: always(integer),
    targetPort: intOrString,
    nodePort: integer,
  },
  "name protocol port targetPort nodePort appProtocol",
);

const serviceSpec = struct(
  "ServiceSpec",
  {
    ports: list(servicePort, { key: "port" }),
    selector: mapOf(text),
    clusterIP: text,
    clusterIPs: list(text),
    type: text,
    externalIPs: list(text),
    sessionAffinity: text,
    loadBalancerIP: text,
    loadBalancerSourceRanges: list(text),
    externalName: text,
    externalTrafficPolicy: text,
    healthCheckNodePort: integer,
    publishNotReadyAddresses: boolean,
    sessionAffinityConfig: struct(
      "SessionAffinityConfig",
      {
        clientIP: struct("ClientIPConfig", { timeoutSeconds: nullable(integer) }, "timeoutSeconds"),
      },
      "clientIP",
    ),
    ipFamilies: list(text),
    ipFamilyPolicy: nullable(text),
    allocateLoadBalancerNodePorts: nullable(boolean),
    loadBalancerClass: nullable(text),
    internalTrafficPolicy: nullable(text),
    trafficDistribution: nullable(text),
  },
  "ports selector clusterIP type externalIPs - sessionAffinity loadBalancerIP loadBalancerSourceRanges externalName " +
    "externalTrafficPolicy healthCheckNodePort publishNotReadyAddresses sessionAffinityConfig - - ipFamilyPolicy clusterIPs " +
    "ipFamilies allocateLoadBalancerNodePorts loadBalancerClass internalTrafficPolicy trafficDistribution",
);

const ingress = struct(
  "LoadBalancerIngress",
  {
    ip: text,
    hostname: text,
    ipMode: nullable(text),
    ports: list(
      struct(
        "PortStatus",
        { port: always(integer), protocol: always(text), error: nullable(text) },
        "port protocol error",
      ),
    ),
  },
  "ip hostname ipMode ports",
);

const condition = struct(
  "Condition",
  {
    type: always(text),
    status: always(text),
    observedGeneration: integer,
    lastTransitionTime: always(time),
    reason: always(text),
    message: always(text),
  },
  "type status observedGeneration lastTransitionTime reason message",
);

const serviceStatus = struct(
  "ServiceStatus",
  {
    loadBalancer: always(struct("LoadBalancerStatus", { ingress: list(ingress) }, "ingress")),
    conditions: list(condition, { key: "type" }),
  },
  "loadBalancer conditions",
);

export const serviceSchema = struct(
  "Service",
  { metadata: always(objectMeta), spec: always(serviceSpec), status: always(serviceStatus) },
  "metadata spec status",
);

export type Service = Infer<typeof serviceSchema>;
export type ServiceSpec = Service["spec"];
export type ServicePort = NonNullable<ServiceSpec["ports"]>[number];
export type ServiceStatus = Service["status"];

/** The address of a headless service, which has none. */
export const HEADLESS = "None";

export function isHeadless({ clusterIPs }: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === HEADLESS;
}

export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

export function needsNodePort({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Reports whether ports without a requested node port get one. */
export function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return (
    type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false)
  );
}

/** Reports whether load balancers need a separate port to ask each node whether it has local pods. */
export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return needsNodePort(spec) || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}

export function nodePortsOf({ ports }: ServiceSpec): readonly number[] {
  return (ports ?? []).flatMap(({ nodePort }) => (nodePort === undefined ? [] : [nodePort]));
}

/** Returns the spec without these fields. */
export function without(spec: ServiceSpec, ...fields: readonly (keyof ServiceSpec)[]): ServiceSpec {
  const kept = Object.entries(spec).filter(([key]) => !fields.some((field) => field === key));
  // Every field of a spec is optional, so the rest is a spec.
  return Object.fromEntries(kept) as ServiceSpec;
}

/** Returns the cluster's addresses and node ports that the service holds. */
export function holdingsOf({ spec }: Service): Holdings {
  const addresses = (spec.clusterIPs ?? []).filter((address) => address !== HEADLESS);
  const health = needsHealthCheckPort(spec) ? (spec.healthCheckNodePort ?? 0) : 0;
  return { addresses, ports: [...nodePortsOf(spec), ...(health === 0 ? [] : [health])] };
}
