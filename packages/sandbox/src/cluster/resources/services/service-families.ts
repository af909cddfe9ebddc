import type { IpFamily } from "../../allocations/address-range.ts";
import { isIPv6Text } from "../../rules/ip-rules.ts";
import { invalidValue, type Problem } from "../../rules/problem.ts";
import { refuse } from "./refuse.ts";
import { HEADLESS, type Service, type ServiceSpec } from "./service.ts";
import { clusterIpProblems } from "./service-address-problems.ts";
import { same } from "./service-transitions.ts";

const SINGLE = "SingleStack";
const PREFER = "PreferDualStack";
const REQUIRE = "RequireDualStack";
const POLICY_FIELD = "spec.ipFamilyPolicy";

/**
 * Returns the service's address families with everything that the client left out: the earlier policy, else a single family, and the second
 * family if the policy wants two. Throws ApiError 422.
 */
export function withFamilies(service: Service, before?: ServiceSpec): ServiceSpec {
  const { spec, metadata } = service;
  if (spec.type === "ExternalName" || keepsBothFamilies(spec, before)) return spec;
  const name = metadata.name ?? "";
  const decided = { ...spec, ipFamilyPolicy: policyOf(spec, before) };
  refuse(name, clusterIpProblems(decided, before));
  const cut = before === undefined ? decided : withoutSecond(decided, before);
  refuse(name, [
    ...(before === undefined ? [] : releaseProblems(decided, before)),
    ...singleStackProblems(cut),
  ]);
  return { ...cut, ipFamilies: completed(inferred(cut), cut.ipFamilyPolicy) };
}

/** Reports whether a service that prefers two families and does not mention them again keeps them. */
export function keepsBothFamilies(spec: ServiceSpec, before: ServiceSpec | undefined): boolean {
  return (
    before !== undefined &&
    spec.type === before.type &&
    spec.ipFamilyPolicy === PREFER &&
    (before.ipFamilyPolicy ?? PREFER) === PREFER &&
    same(spec.clusterIPs ?? [], before.clusterIPs ?? []) &&
    same(spec.ipFamilies ?? [], before.ipFamilies ?? [])
  );
}

/** Returns the given families: any other value was refused before. */
export function familiesOf({ ipFamilies }: ServiceSpec): readonly IpFamily[] {
  return (ipFamilies ?? []).map((family) => (family === "IPv6" ? "IPv6" : "IPv4"));
}

type Decided = ServiceSpec & { readonly ipFamilyPolicy: string };

function policyOf(spec: ServiceSpec, before: ServiceSpec | undefined): string {
  const known = spec.ipFamilyPolicy ?? before?.ipFamilyPolicy;
  if (known !== undefined) return known;
  // The families of manually created endpoints are unknown.
  const isOpen = spec.clusterIP === HEADLESS && Object.keys(spec.selector ?? {}).length === 0;
  return isOpen ? REQUIRE : SINGLE;
}

function withoutSecond(spec: Decided, before: ServiceSpec): Decided {
  if (spec.ipFamilyPolicy !== SINGLE) return spec;
  const { clusterIPs = [], ipFamilies = [] } = spec;
  return {
    ...spec,
    ...(same(clusterIPs, before.clusterIPs ?? []) ? { clusterIPs: clusterIPs.slice(0, 1) } : {}),
    ...(same(ipFamilies, before.ipFamilies ?? []) ? { ipFamilies: ipFamilies.slice(0, 1) } : {}),
  };
}

function releaseProblems(spec: Decided, before: ServiceSpec): readonly Problem[] {
  if (spec.ipFamilyPolicy === SINGLE) return [];
  const isReduced = (now: readonly string[] = [], then: readonly string[] = []) =>
    now.length > 0 && now.length < then.length;
  const refusal = (what: string) =>
    invalidValue(
      POLICY_FIELD,
      spec.ipFamilyPolicy,
      `must be 'SingleStack' to release the secondary ${what}`,
    );
  return [
    ...(isReduced(spec.clusterIPs, before.clusterIPs) ? [refusal("cluster IP")] : []),
    ...(isReduced(spec.ipFamilies, before.ipFamilies) ? [refusal("IP family")] : []),
  ];
}

function singleStackProblems(spec: Decided): readonly Problem[] {
  if (spec.ipFamilyPolicy !== SINGLE) return [];
  const refusal = (what: string) =>
    invalidValue(
      POLICY_FIELD,
      SINGLE,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(spec.clusterIPs?.length === 2 ? [refusal("cluster IPs")] : []),
    ...(spec.ipFamilies?.length === 2 ? [refusal("IP families")] : []),
  ];
}

/** Addresses imply their families when these are not given. */
function inferred({ clusterIPs = [], ipFamilies = [] }: ServiceSpec): readonly string[] {
  if (clusterIPs[0] === HEADLESS) return ipFamilies;
  const further = clusterIPs.slice(ipFamilies.length);
  return [...ipFamilies, ...further.map((ip) => (isIPv6Text(ip) ? "IPv6" : "IPv4"))];
}

function completed(families: readonly string[], policy: string): readonly string[] {
  const [first = "IPv4", ...others] = families;
  if (policy === SINGLE || others.length > 0) return [first, ...others];
  return [first, first === "IPv4" ? "IPv6" : "IPv4"];
}
