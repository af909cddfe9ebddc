import { endpointIpProblems, ipProblems } from "../../rules/ip-rules.ts";
import { labelProblems } from "../../rules/metadata-rules.ts";
import { subdomainProblems } from "../../rules/names.ts";
import {
  forbiddenValue,
  invalidValue,
  type Problem,
  required,
  unsupportedValue,
} from "../../rules/problem.ts";
import { HEADLESS, isHeadless, type Service, type ServiceSpec } from "./service.ts";
import { clusterIpChangeProblems, clusterIpProblems } from "./service-address-problems.ts";
import {
  loadBalancerChangeProblems,
  loadBalancerProblems,
} from "./service-load-balancer-problems.ts";
import { portsProblems } from "./service-port-problems.ts";
import { ingressProblems } from "./service-status-problems.ts";

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const AFFINITIES = ["ClientIP", "None"];
const DISTRIBUTIONS = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** Checks upstream's rules for Services, in its order; those for a change first. */
export function serviceProblems(service: Service, before?: Service): readonly Problem[] {
  const { spec } = service;
  const changes =
    before === undefined
      ? []
      : [
          ...clusterIpChangeProblems(spec, before.spec),
          ...loadBalancerChangeProblems(spec, before.spec),
        ];
  return withoutRepetitions([
    ...changes,
    ...typeProblems(spec),
    ...portsProblems(spec),
    ...(spec.selector === undefined ? [] : labelProblems(spec.selector, "spec.selector")),
    ...affinityProblems(spec),
    ...clusterIpProblems(spec, before?.spec),
    ...externalIpProblems(spec, before?.spec),
    ...knownTypeProblems(spec),
    ...loadBalancerProblems(service, before),
    ...distributionProblems(spec),
    ...ingressProblems(service, before),
  ]);
}

/** Some rules for a change also apply to every service; each problem is reported once. */
function withoutRepetitions(problems: readonly Problem[]): readonly Problem[] {
  const overridden = problems.map(({ field, message }) => `${field} ${message}`);
  return problems.filter(
    (_problem, index) => overridden.indexOf(overridden[index] ?? "") === index,
  );
}

function typeProblems(spec: ServiceSpec): readonly Problem[] {
  const { type = "" } = spec;
  const lacksPorts = (spec.ports ?? []).length === 0 && !isHeadless(spec);
  return [
    ...(lacksPorts && type !== "ExternalName" ? [required("spec.ports")] : []),
    ...(isHeadless(spec) && (type === "LoadBalancer" || type === "NodePort")
      ? [
          invalidValue(
            "spec.clusterIPs[0]",
            HEADLESS,
            `may not be set to 'None' for ${type} services`,
          ),
        ]
      : []),
    ...(type === "ExternalName" ? externalNameProblems(spec) : []),
  ];
}

function externalNameProblems(spec: ServiceSpec): readonly Problem[] {
  const why = "may not be set for ExternalName services";
  const { externalName = "" } = spec;
  // A trailing dot marks the name as complete.
  const name = externalName.replace(/\.$/, "");
  return [
    ...((spec.clusterIPs ?? []).length > 0 ? [forbiddenValue("spec.clusterIPs", why)] : []),
    ...((spec.ipFamilies ?? []).length > 0 ? [forbiddenValue("spec.ipFamilies", why)] : []),
    ...(spec.ipFamilyPolicy === undefined ? [] : [forbiddenValue("spec.ipFamilyPolicy", why)]),
    ...(name === ""
      ? [required("spec.externalName")]
      : subdomainProblems(name).map((sentence) =>
          invalidValue("spec.externalName", name, sentence),
        )),
  ];
}

const LONGEST_AFFINITY_SECONDS = 86_400;

function affinityProblems(spec: ServiceSpec): readonly Problem[] {
  const { sessionAffinity = "", sessionAffinityConfig } = spec;
  if (!AFFINITIES.includes(sessionAffinity)) {
    return [unsupportedValue("spec.sessionAffinity", sessionAffinity, AFFINITIES)];
  }
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const isWrong = seconds !== undefined && (seconds <= 0 || seconds > LONGEST_AFFINITY_SECONDS);
  return isWrong
    ? [
        invalidValue(
          "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
          seconds,
          `must be greater than 0 and less than ${LONGEST_AFFINITY_SECONDS}`,
        ),
      ]
    : [];
}

function externalIpProblems(spec: ServiceSpec, before?: ServiceSpec): readonly Problem[] {
  return (spec.externalIPs ?? []).flatMap((address, index) => {
    const field = `spec.externalIPs[${index}]`;
    const unreadable = ipProblems(field, address, before?.externalIPs);
    return unreadable.length > 0 ? unreadable : endpointIpProblems(field, address);
  });
}

function knownTypeProblems({ type = "" }: ServiceSpec): readonly Problem[] {
  return TYPES.includes(type) ? [] : [unsupportedValue("spec.type", type, TYPES)];
}

function distributionProblems({ trafficDistribution }: ServiceSpec): readonly Problem[] {
  return trafficDistribution === undefined || DISTRIBUTIONS.includes(trafficDistribution)
    ? []
    : [unsupportedValue("spec.trafficDistribution", trafficDistribution, DISTRIBUTIONS)];
}
