import { ipProblems, isIPv6Text } from "../../rules/ip-rules.ts";
import {
  duplicateValue,
  invalidValue,
  type Problem,
  required,
  unsupportedValue,
} from "../../rules/problem.ts";
import { HEADLESS, isHeadless, type ServiceSpec } from "./service.ts";

const FIELD = "spec.clusterIPs";
const FAMILIES_FIELD = "spec.ipFamilies";
const FAMILIES = ["IPv4", "IPv6"];
const POLICIES = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** Checks clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy, individually and together. */
export function clusterIpProblems(spec: ServiceSpec, before?: ServiceSpec): readonly Problem[] {
  if (spec.type === "ExternalName") return [];
  const { clusterIPs = [], ipFamilyPolicy } = spec;
  const unreadable = unreadableProblems(clusterIPs, before?.clusterIPs ?? []);
  const alone = [
    ...formProblems(spec),
    ...familyProblems(spec.ipFamilies ?? []),
    ...(ipFamilyPolicy === undefined || POLICIES.includes(ipFamilyPolicy)
      ? []
      : [unsupportedValue("spec.ipFamilyPolicy", ipFamilyPolicy, POLICIES)]),
    ...unreadable,
    ...(clusterIPs.length > 2
      ? [invalidValue(FIELD, clusterIPs, "may only hold up to 2 values")]
      : []),
  ];
  // With an invalid address, further problems would only be noise.
  return unreadable.length > 0
    ? alone
    : [...alone, ...stackProblems(clusterIPs), ...matchProblems(spec)];
}

/** Checks the address fields that an update may not change once assigned. */
export function clusterIpChangeProblems(
  spec: ServiceSpec,
  before: ServiceSpec,
): readonly Problem[] {
  if (spec.type === "ExternalName" || before.type === "ExternalName") return [];
  const isStillHeadless = isHeadless(spec) && isHeadless(before);
  const changesHeadless = isHeadless(spec) !== isHeadless(before);
  return [
    ...(isStillHeadless ? [] : addressChangeProblems(spec, before)),
    ...(isStillHeadless || changesHeadless ? [] : familyChangeProblems(spec, before)),
  ];
}

function formProblems({ clusterIP, clusterIPs = [] }: ServiceSpec): readonly Problem[] {
  const [first] = clusterIPs;
  if (clusterIP === undefined) {
    return first === undefined
      ? []
      : [invalidValue(FIELD, clusterIPs, "must be empty when `clusterIP` is not specified")];
  }
  if (first === undefined) return [required(FIELD)];
  return first === clusterIP
    ? []
    : [invalidValue(FIELD, clusterIPs, "first value must match `clusterIP`")];
}

function familyProblems(families: readonly string[]): readonly Problem[] {
  return families.flatMap((family, index) => {
    const field = `${FAMILIES_FIELD}[${index}]`;
    return [
      ...(FAMILIES.includes(family) ? [] : [unsupportedValue(field, family, FAMILIES)]),
      ...(families.indexOf(family) < index ? [duplicateValue(field, family)] : []),
    ];
  });
}

function unreadableProblems(
  addresses: readonly string[],
  known: readonly string[],
): readonly Problem[] {
  return addresses.flatMap((address, index) => {
    if (index > 0 || address !== HEADLESS) return ipProblems(`${FIELD}[${index}]`, address, known);
    return addresses.length === 1
      ? []
      : [invalidValue(FIELD, addresses, "'None' must be the first and only value")];
  });
}

function stackProblems(addresses: readonly string[]): readonly Problem[] {
  const families = new Set(addresses.map(isIPv6Text));
  return addresses.length < 2 || families.size === 2
    ? []
    : [invalidValue(FIELD, addresses, "may specify no more than one IP for each IP family")];
}

function matchProblems(spec: ServiceSpec): readonly Problem[] {
  if (isHeadless(spec)) return [];
  const { clusterIPs = [], ipFamilies = [] } = spec;
  return clusterIPs.flatMap((address, index) => {
    const wanted = ipFamilies[index];
    const isWrong =
      FAMILIES.some((family) => family === wanted) && isIPv6Text(address) !== (wanted === "IPv6");
    return isWrong
      ? [
          invalidValue(
            `${FIELD}[${index}]`,
            address,
            `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``,
          ),
        ]
      : [];
  });
}

const FIXED = "may not change once set";

function addressChangeProblems(spec: ServiceSpec, before: ServiceSpec): readonly Problem[] {
  const { clusterIPs: now = [] } = spec;
  const { clusterIPs: then = [] } = before;
  const refusal = (index: number, why: string) => invalidValue(`${FIELD}[${index}]`, now, why);
  const changed = then.flatMap((address, index) =>
    index < now.length && address !== now[index] ? [refusal(index, FIXED)] : [],
  );
  const isReduced = then.length > now.length;
  return [
    ...(isReduced && now.length === 0 ? [refusal(0, "primary clusterIP can not be unset")] : []),
    ...changed,
    ...(isReduced && now.length === 1 ? secondProblems(spec, "clusterIP") : []),
  ];
}

function familyChangeProblems(spec: ServiceSpec, before: ServiceSpec): readonly Problem[] {
  const { ipFamilies: now = [] } = spec;
  const { ipFamilies: then = [] } = before;
  const isReduced = then.length > now.length;
  // Upstream names the first place and, if the number changes, shows the addresses.
  const shown = then.length === now.length ? now : (spec.clusterIPs ?? []);
  const changed = then.flatMap((family, index) =>
    index < now.length && family !== now[index]
      ? [invalidValue(`${FAMILIES_FIELD}[0]`, shown, FIXED)]
      : [],
  );
  return [...changed, ...(isReduced && now.length === 1 ? secondProblems(spec, "ipFamily") : [])];
}

function secondProblems(spec: ServiceSpec, what: string): readonly Problem[] {
  if (spec.ipFamilyPolicy === "SingleStack") return [];
  return [
    invalidValue(
      "spec.ipFamilyPolicy",
      spec.ipFamilyPolicy ?? null,
      `must be set to 'SingleStack' when releasing the secondary ${what}`,
    ),
  ];
}
