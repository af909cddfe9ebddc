import { cidrProblems } from "../../rules/ip-rules.ts";
import { qualifiedNameProblems } from "../../rules/names.ts";
import { portNumberProblems } from "../../rules/port-rules.ts";
import {
  forbiddenValue,
  invalidValue,
  type Problem,
  required,
  ruleProblems,
  unsupportedValue,
} from "../../rules/problem.ts";
import {
  isExternallyAccessible,
  needsHealthCheckPort,
  type Service,
  type ServiceSpec,
} from "./service.ts";
import { sharedPortProblems } from "./service-port-problems.ts";

const ONLY_LOAD_BALANCERS = "may only be used when `type` is 'LoadBalancer'";
const POLICIES = ["Cluster", "Local"];

/** Checks the fields for load balancers, node ports and traffic policies. */
export function loadBalancerProblems(service: Service, before?: Service): readonly Problem[] {
  const { spec } = service;
  const { allocateLoadBalancerNodePorts: allocates } = spec;
  return [
    ...nodePortProblems(spec),
    ...sharedPortProblems(spec),
    ...sourceRangeProblems(service, before),
    ...(allocates !== undefined && spec.type !== "LoadBalancer"
      ? [forbiddenValue("spec.allocateLoadBalancerNodePorts", ONLY_LOAD_BALANCERS)]
      : []),
    ...classProblems(spec),
    ...externalPolicyProblems(spec),
    ...healthPortProblems(spec),
    ...internalPolicyProblems(spec),
  ];
}

/** Checks which of these fields an update may not change. */
export function loadBalancerChangeProblems(
  spec: ServiceSpec,
  before: ServiceSpec,
): readonly Problem[] {
  const stays = spec.type === "LoadBalancer" && before.type === "LoadBalancer";
  const classChanges = stays && spec.loadBalancerClass !== before.loadBalancerClass;
  const portChanges =
    needsHealthCheckPort(spec) &&
    needsHealthCheckPort(before) &&
    spec.healthCheckNodePort !== before.healthCheckNodePort;
  return [
    ...(classChanges
      ? [invalidValue(CLASS_FIELD, spec.loadBalancerClass ?? null, "may not change once set")]
      : []),
    ...classProblems(spec),
    ...(portChanges ? [forbiddenValue(HEALTH_FIELD, "field is immutable")] : []),
  ];
}

function nodePortProblems({ type, ports = [] }: ServiceSpec): readonly Problem[] {
  if (type !== "ClusterIP") return [];
  return ports.flatMap(({ nodePort }, index) =>
    nodePort === undefined
      ? []
      : [
          forbiddenValue(
            `spec.ports[${index}].nodePort`,
            "may not be used when `type` is 'ClusterIP'",
          ),
        ],
  );
}

const RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** Checks the field, or the annotation that preceded it. Spaces around a range have always been allowed. */
function sourceRangeProblems(service: Service, before?: Service): readonly Problem[] {
  const { spec, metadata } = service;
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const annotated = metadata.annotations?.[RANGES_ANNOTATION];
  const isLoadBalancer = spec.type === "LoadBalancer";
  if (ranges.length > 0) {
    const field = "spec.LoadBalancerSourceRanges";
    const known = (before?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    return [
      ...(isLoadBalancer ? [] : [forbiddenValue(field, ONLY_LOAD_BALANCERS)]),
      ...ranges.flatMap((range, index) => cidrProblems(`${field}[${index}]`, range.trim(), known)),
    ];
  }
  if (annotated === undefined) return [];
  const field = `metadata.annotations[${RANGES_ANNOTATION}]`;
  const isOld = before?.metadata.annotations?.[RANGES_ANNOTATION] === annotated;
  const listed = isOld || annotated.trim() === "" ? [] : annotated.split(",");
  return [
    ...(isLoadBalancer ? [] : [forbiddenValue(field, ONLY_LOAD_BALANCERS)]),
    ...listed.flatMap((range) => cidrProblems(field, range.trim())),
  ];
}

const CLASS_FIELD = "spec.loadBalancerClass";

function classProblems({ type, loadBalancerClass }: ServiceSpec): readonly Problem[] {
  if (loadBalancerClass === undefined) return [];
  if (type !== "LoadBalancer") return [forbiddenValue(CLASS_FIELD, ONLY_LOAD_BALANCERS)];
  return ruleProblems(qualifiedNameProblems, CLASS_FIELD, loadBalancerClass);
}

function externalPolicyProblems(spec: ServiceSpec): readonly Problem[] {
  const field = "spec.externalTrafficPolicy";
  const { externalTrafficPolicy: policy } = spec;
  if (policy === undefined) return isExternallyAccessible(spec) ? [required(field)] : [];
  if (!isExternallyAccessible(spec)) {
    return [invalidValue(field, policy, "may only be set for externally-accessible services")];
  }
  return POLICIES.includes(policy) ? [] : [unsupportedValue(field, policy, POLICIES)];
}

const HEALTH_FIELD = "spec.healthCheckNodePort";

function healthPortProblems(spec: ServiceSpec): readonly Problem[] {
  const { healthCheckNodePort: port } = spec;
  if (needsHealthCheckPort(spec)) {
    return port === undefined ? [required(HEALTH_FIELD)] : portNumberProblems(HEALTH_FIELD, port);
  }
  return port === undefined
    ? []
    : [
        invalidValue(
          HEALTH_FIELD,
          port,
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
        ),
      ];
}

function internalPolicyProblems({
  internalTrafficPolicy: policy,
}: ServiceSpec): readonly Problem[] {
  return policy === undefined || POLICIES.includes(policy)
    ? []
    : [unsupportedValue("spec.internalTrafficPolicy", policy, POLICIES)];
}
