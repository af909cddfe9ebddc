import { endpointIpProblems, ipProblems, isIPv6Text } from "../../rules/ip-rules.ts";
import { dnsLabelProblems, qualifiedNameProblems, subdomainProblems } from "../../rules/names.ts";
import { duplicateProblems, protocolProblems } from "../../rules/port-rules.ts";
import {
  duplicateValue,
  invalidValue,
  type Problem,
  required,
  unsupportedValue,
} from "../../rules/problem.ts";
import type { Endpoint, EndpointSlice, SlicePort } from "./endpoint-slice.ts";

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];

/** The basics: types, addresses, names and ports; what stands unchanged is not asked again. */
export function endpointSliceProblems(
  slice: EndpointSlice,
  before?: EndpointSlice,
): readonly Problem[] {
  const { addressType, endpoints, ports } = slice;
  const isUntouched = JSON.stringify(endpoints) === JSON.stringify(before?.endpoints ?? null);
  return [
    ...addressTypeProblems(addressType),
    ...portsProblems(ports ?? []),
    ...(before !== undefined && isUntouched
      ? []
      : (endpoints ?? []).flatMap((item, index) => endpointProblems(item, index, addressType))),
    ...(before !== undefined && before.addressType !== addressType
      ? [invalidValue("addressType", addressType, "field is immutable")]
      : []),
  ];
}

function addressTypeProblems(type: string): readonly Problem[] {
  if (type === "") return [required("addressType")];
  return ADDRESS_TYPES.includes(type) ? [] : [unsupportedValue("addressType", type, ADDRESS_TYPES)];
}

function portsProblems(ports: readonly SlicePort[]): readonly Problem[] {
  return [
    ...ports.flatMap(({ name = "", protocol = "", appProtocol }, index) => {
      const field = `ports[${index}]`;
      const nameFaults = name === "" ? [] : dnsLabelProblems(name);
      const applicationFaults = appProtocol === undefined ? [] : qualifiedNameProblems(appProtocol);
      return [
        ...nameFaults.map((why) => invalidValue(`${field}.name`, name, why)),
        ...protocolProblems(`${field}.protocol`, protocol),
        ...applicationFaults.map((why) => invalidValue(`${field}.appProtocol`, appProtocol, why)),
      ];
    }),
    ...duplicateProblems(
      ports,
      ({ name }) => name ?? "",
      ({ name }, index) => duplicateValue(`ports[${index}].name`, name ?? ""),
    ),
  ];
}

const MOST_ADDRESSES = 100;

function endpointProblems(item: Endpoint, index: number, type: string): readonly Problem[] {
  const field = `endpoints[${index}]`;
  const addresses = item.addresses ?? [];
  const { nodeName, hostname } = item;
  return [
    ...(addresses.length === 0
      ? [required(`${field}.addresses`, "must contain at least 1 address")]
      : []),
    ...(addresses.length > MOST_ADDRESSES ? [tooMany(`${field}.addresses`, addresses.length)] : []),
    ...addresses.flatMap((address, place) =>
      addressProblems({ field: `${field}.addresses`, place, type }, address),
    ),
    ...(nodeName === undefined
      ? []
      : subdomainProblems(nodeName).map((why) => invalidValue(`${field}.nodeName`, nodeName, why))),
    ...(hostname === undefined
      ? []
      : dnsLabelProblems(hostname).map((why) => invalidValue(`${field}.hostname`, hostname, why))),
  ];
}

function tooMany(field: string, count: number): Problem {
  return {
    reason: "FieldValueTooMany",
    message: `Too many: ${count}: must have at most ${MOST_ADDRESSES} items`,
    field,
  };
}

interface AddressPlace {
  readonly field: string;
  readonly place: number;
  readonly type: string;
}

function addressProblems(
  { field, place, type }: AddressPlace,
  address: string,
): readonly Problem[] {
  const here = `${field}[${place}]`;
  if (type === "FQDN") return nameProblems(here, address);
  if (!ADDRESS_TYPES.includes(type)) return [];
  const unreadable = ipProblems(here, address);
  if (unreadable.length > 0) return unreadable;
  const isOfType = isIPv6Text(address) === (type === "IPv6");
  return [
    ...(isOfType ? [] : [invalidValue(field, address, `must be an ${type} address`)]),
    ...endpointIpProblems(here, address),
  ];
}

function nameProblems(field: string, name: string): readonly Problem[] {
  const bare = name.replace(/\.$/, "");
  const faults = subdomainProblems(bare);
  if (faults.length > 0) return faults.map((why) => invalidValue(field, bare, why));
  return bare.includes(".")
    ? []
    : [
        invalidValue(
          field,
          name,
          "should be a domain with at least two segments separated by dots",
        ),
      ];
}
