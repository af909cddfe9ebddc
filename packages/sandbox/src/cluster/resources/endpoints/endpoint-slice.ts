import { endpointIpProblems, ipProblems, isIPv6Text } from "../../rules/ip-rules.ts";
import { dnsLabelProblems, qualifiedNameProblems, subdomainProblems } from "../../rules/names.ts";
import { duplicateProblems, protocolProblems } from "../../rules/port-rules.ts";
import {
  duplicateValue,
  invalidValue,
  type Problem,
  required,
  ruleProblems,
  unsupportedValue,
} from "../../rules/problem.ts";
import {
  always,
  boolean,
  type Infer,
  integer,
  list,
  mapOf,
  nullable,
  struct,
  text,
} from "../../schema/schema.ts";
import { ageColumn, nameColumn, shortened } from "../../tables/common-columns.ts";
import { defineResource } from "../define-resource.ts";
import { objectMeta } from "../metadata.ts";
import { objectReference } from "../object-reference.ts";

const conditions = struct(
  "EndpointConditions",
  { ready: nullable(boolean), serving: nullable(boolean), terminating: nullable(boolean) },
  "ready serving terminating",
);
const hints = struct(
  "EndpointHints",
  {
    forZones: list(struct("ForZone", { name: always(text) }, "name")),
    forNodes: list(struct("ForNode", { name: always(text) }, "name")),
  },
  "forZones forNodes",
);

const endpoint = struct(
  "Endpoint",
  {
    addresses: always(list(text, "set")),
    conditions: always(conditions),
    hostname: nullable(text),
    targetRef: objectReference,
    deprecatedTopology: mapOf(text),
    nodeName: nullable(text),
    zone: nullable(text),
    hints,
  },
  "addresses conditions hostname targetRef deprecatedTopology nodeName zone hints",
);

const port = struct(
  "EndpointPort",
  {
    name: nullable(text),
    protocol: nullable(text),
    port: nullable(integer),
    appProtocol: nullable(text),
  },
  "name protocol port appProtocol",
);

const endpointSliceSchema = struct(
  "EndpointSlice",
  {
    metadata: always(objectMeta),
    addressType: always(text),
    endpoints: always(list(endpoint)),
    ports: always(list(port)),
  },
  "metadata endpoints ports addressType",
);

export type EndpointSlice = Infer<typeof endpointSliceSchema>;
export type Endpoint = NonNullable<EndpointSlice["endpoints"]>[number];
export type SlicePort = NonNullable<EndpointSlice["ports"]>[number];

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const MOST_ADDRESSES = 100;

export const endpointSlices = defineResource(
  {
    group: "discovery.k8s.io",
    version: "v1",
    kind: "EndpointSlice",
    plural: "endpointslices",
    namespaced: true,
  },
  {
    schema: endpointSliceSchema,
    rules: {
      defaults: withPortDefaults,
      onCreate: (slice) => ({
        ...withoutTopology(slice),
        metadata: { ...slice.metadata, generation: 1 },
      }),
      onUpdate: (slice, before) => withGeneration(withoutTopology(slice), before),
      problems: endpointSliceProblems,
      columns: [
        nameColumn,
        ["AddressType", "The kind of the addresses.", ({ addressType }) => addressType],
        [
          "Ports",
          "The ports of every endpoint.",
          ({ ports }) => shortened((ports ?? []).map(portText), "<unset>"),
        ],
        [
          "Endpoints",
          "Where the service's traffic goes.",
          ({ endpoints }) =>
            shortened(
              (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
              "<unset>",
            ),
        ],
        ageColumn,
      ],
    },
  },
);

function portText({ port: number, name }: SlicePort): string {
  return number === undefined ? (name ?? "*") : String(number);
}

function withPortDefaults(slice: EndpointSlice): EndpointSlice {
  const complete = (one: SlicePort): SlicePort => ({ name: "", protocol: "TCP", ...one });
  return slice.ports === null ? slice : { ...slice, ports: slice.ports.map(complete) };
}

/** Removes a field that only old clients write, as upstream does. */
function withoutTopology(slice: EndpointSlice): EndpointSlice {
  if (slice.endpoints === null) return slice;
  const kept = slice.endpoints.map(({ deprecatedTopology: _gone, ...one }) => one);
  return { ...slice, endpoints: kept };
}

/** Increases the generation with every change except of annotations. */
function withGeneration(slice: EndpointSlice, before: EndpointSlice): EndpointSlice {
  const essence = ({ metadata, addressType, endpoints, ports }: EndpointSlice) =>
    JSON.stringify([metadata.labels ?? {}, addressType, endpoints, ports]);
  if (essence(slice) === essence(before)) return slice;
  const generation = (before.metadata.generation ?? 0) + 1;
  return { ...slice, metadata: { ...slice.metadata, generation } };
}

/** Checks the basics: types, addresses, names and ports; unchanged parts are not checked again. */
function endpointSliceProblems(slice: EndpointSlice, before?: EndpointSlice): readonly Problem[] {
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
    ...ruleProblems(subdomainProblems, `${field}.nodeName`, nodeName),
    ...ruleProblems(dnsLabelProblems, `${field}.hostname`, hostname),
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
