import { ipWarnings } from "../../rules/ip-rules.ts";
import { HEADLESS, type Service, type ServiceSpec } from "./service.ts";

const OLD_HINTS = "service.kubernetes.io/topology-aware-hints";
const NEW_HINTS = "service.kubernetes.io/topology-mode";

/** Returns upstream's warnings about a service that it accepts; kubectl shows them. */
export function serviceWarnings({ spec, metadata }: Service): readonly string[] {
  const { loadBalancerIP } = spec;
  const hasOldHints = metadata.annotations?.[OLD_HINTS] !== undefined;
  return [
    ...(hasOldHints
      ? [`annotation ${OLD_HINTS} is deprecated, please use ${NEW_HINTS} instead`]
      : []),
    ...addressWarnings("spec.clusterIPs", spec.clusterIPs),
    ...(isIdle(spec) ? headlessWarnings(spec) : []),
    ...addressWarnings("spec.externalIPs", spec.externalIPs),
    ...externalIpWarnings(spec),
    ...(loadBalancerIP === undefined ? [] : ipWarnings("spec.loadBalancerIP", loadBalancerIP)),
    ...nameWarnings(spec),
    ...(spec.trafficDistribution === "PreferClose"
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function addressWarnings(field: string, addresses: readonly string[] = []): readonly string[] {
  return addresses.flatMap((address, index) => ipWarnings(`${field}[${index}]`, address));
}

function isIdle({ type, clusterIP }: ServiceSpec): boolean {
  return type === "ClusterIP" && clusterIP === HEADLESS;
}

function headlessWarnings(spec: ServiceSpec): readonly string[] {
  return [
    ...(spec.loadBalancerIP === undefined ? [] : ["spec.loadBalancerIP"]),
    ...((spec.externalIPs ?? []).length === 0 ? [] : ["spec.externalIPs"]),
    ...(spec.sessionAffinity === "None" ? [] : ["spec.SessionAffinity"]),
  ].map((field) => `${field} is ignored for headless services`);
}

function externalIpWarnings(spec: ServiceSpec): readonly string[] {
  const isUsed =
    (spec.externalIPs ?? []).length > 0 && !isIdle(spec) && spec.type !== "ExternalName";
  return isUsed
    ? ["spec.externalIPs is deprecated and may no longer be implemented in some clusters"]
    : [];
}

function nameWarnings({ type, externalName, externalIPs = [] }: ServiceSpec): readonly string[] {
  if (type === "ExternalName") {
    return externalIPs.length === 0
      ? []
      : ['spec.externalIPs is ignored when spec.type is "ExternalName"'];
  }
  return externalName === undefined
    ? []
    : ['spec.externalName is ignored when spec.type is not "ExternalName"'];
}
