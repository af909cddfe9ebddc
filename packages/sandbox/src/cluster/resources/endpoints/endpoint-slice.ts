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
import { ageColumn, nameColumn } from "../../tables/common-columns.ts";
import { defineResource } from "../define-resource.ts";
import { objectMeta } from "../metadata.ts";
import { objectReference } from "../object-reference.ts";
import { endpointSliceProblems } from "./endpoint-slice-problems.ts";
import { shortened } from "./endpoints-text.ts";

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
        {
          name: "AddressType",
          description: "The kind of the addresses.",
          cell: ({ addressType }) => addressType,
        },
        {
          name: "Ports",
          description: "The ports of every endpoint.",
          cell: ({ ports }) => shortened((ports ?? []).map(portText), "<unset>"),
        },
        {
          name: "Endpoints",
          description: "Where the service's traffic goes.",
          cell: ({ endpoints }) =>
            shortened(
              (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
              "<unset>",
            ),
        },
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

/** Written by old clients only, and dropped as upstream drops it. */
function withoutTopology(slice: EndpointSlice): EndpointSlice {
  if (slice.endpoints === null) return slice;
  const kept = slice.endpoints.map(({ deprecatedTopology: _gone, ...one }) => one);
  return { ...slice, endpoints: kept };
}

/** Grows with whatever changes but annotations. */
function withGeneration(slice: EndpointSlice, before: EndpointSlice): EndpointSlice {
  const essence = ({ metadata, addressType, endpoints, ports }: EndpointSlice) =>
    JSON.stringify([metadata.labels ?? {}, addressType, endpoints, ports]);
  if (essence(slice) === essence(before)) return slice;
  const generation = (before.metadata.generation ?? 0) + 1;
  return { ...slice, metadata: { ...slice.metadata, generation } };
}
