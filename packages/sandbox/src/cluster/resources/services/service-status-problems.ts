import { isIP } from "node:net";
import { ipProblems } from "../../rules/ip-rules.ts";
import { subdomainProblems } from "../../rules/names.ts";
import {
  forbiddenValue,
  invalidValue,
  type Problem,
  required,
  ruleProblems,
  unsupportedValue,
} from "../../rules/problem.ts";
import type { Service, ServiceStatus } from "./service.ts";

const FIELD = "status.loadBalancer.ingress";
const MODES = ["Proxy", "VIP"];

type Ingress = NonNullable<ServiceStatus["loadBalancer"]["ingress"]>[number];

/** Checks the addresses of a load balancer, as a cloud controller manager writes them (spec/30 §6). */
export function ingressProblems(service: Service, before?: Service): readonly Problem[] {
  const { ingress = [] } = service.status.loadBalancer;
  if (service.spec.type !== "LoadBalancer" && ingress.length > 0) {
    return [forbiddenValue(FIELD, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const known = (before?.status.loadBalancer.ingress ?? []).flatMap(({ ip }) =>
    ip === undefined ? [] : [ip],
  );
  return ingress.flatMap((point, index) => {
    const field = `${FIELD}[${index}]`;
    return [
      ...(point.ip === undefined ? [] : ipProblems(`${field}.ip`, point.ip, known)),
      ...modeProblems(point, `${field}.ipMode`),
      ...hostnameProblems(point.hostname, `${field}.hostname`),
    ];
  });
}

function modeProblems({ ip, ipMode }: Ingress, field: string): readonly Problem[] {
  if (ipMode === undefined) {
    return ip === undefined ? [] : [required(field, "must be specified when `ip` is set")];
  }
  if (ip === undefined) return [forbiddenValue(field, "may not be specified when `ip` is not set")];
  return MODES.includes(ipMode) ? [] : [unsupportedValue(field, ipMode, MODES)];
}

function hostnameProblems(hostname: string | undefined, field: string): readonly Problem[] {
  if (hostname === undefined) return [];
  return [
    ...ruleProblems(subdomainProblems, field, hostname),
    ...(isIP(hostname) === 0
      ? []
      : [invalidValue(field, hostname, "must be a DNS name, not an IP address")]),
  ];
}
