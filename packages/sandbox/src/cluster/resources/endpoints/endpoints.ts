import { endpointIpProblems, ipProblems } from "../../rules/ip-rules.ts";
import { dnsLabelProblems, qualifiedNameProblems, subdomainProblems } from "../../rules/names.ts";
import { portNumberProblems, protocolProblems } from "../../rules/port-rules.ts";
import { type Problem, required, ruleProblems } from "../../rules/problem.ts";
import { always, type Infer, integer, list, nullable, struct, text } from "../../schema/schema.ts";
import { ageColumn, nameColumn, shortened } from "../../tables/common-columns.ts";
import { defineResource } from "../define-resource.ts";
import { objectMeta } from "../metadata.ts";
import { objectReference } from "../object-reference.ts";

const address = struct(
  "EndpointAddress",
  {
    ip: always(text),
    hostname: text,
    nodeName: nullable(text),
    targetRef: objectReference,
  },
  "ip targetRef hostname nodeName",
);

const port = struct(
  "EndpointPort",
  { name: text, port: always(integer), protocol: text, appProtocol: nullable(text) },
  "name port protocol appProtocol",
);

const subset = struct(
  "EndpointSubset",
  { addresses: list(address), notReadyAddresses: list(address), ports: list(port) },
  "addresses notReadyAddresses ports",
);

const endpointsSchema = struct(
  "Endpoints",
  { metadata: always(objectMeta), subsets: list(subset) },
  "metadata subsets",
);

export type Endpoints = Infer<typeof endpointsSchema>;
export type EndpointSubset = NonNullable<Endpoints["subsets"]>[number];
type Address = NonNullable<EndpointSubset["addresses"]>[number];
type Port = NonNullable<EndpointSubset["ports"]>[number];

export const endpoints = defineResource(
  {
    group: "",
    version: "v1",
    kind: "Endpoints",
    plural: "endpoints",
    shortNames: ["ep"],
    namespaced: true,
    createOnUpdate: true,
    deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  },
  {
    schema: endpointsSchema,
    rules: {
      defaults: withProtocols,
      problems,
      columns: [
        nameColumn,
        [
          "Endpoints",
          "Where the service's traffic goes.",
          ({ subsets }) => endpointsText(subsets ?? []),
        ],
        ageColumn,
      ],
    },
  },
);

/** Returns the endpoints for a cell: at most three, and the number of the others. */
function endpointsText(subsets: readonly EndpointSubset[]): string {
  if (subsets.length === 0) return "<none>";
  return shortened(subsets.flatMap(placesOf), "");
}

function placesOf({ addresses = [], ports = [] }: EndpointSubset): readonly string[] {
  if (ports.length === 0) return addresses.map(({ ip }) => ip);
  return ports.flatMap(({ port }) =>
    addresses.map(({ ip }) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
  );
}

function withProtocols(item: Endpoints): Endpoints {
  if (item.subsets === undefined) return item;
  const complete = (one: Port): Port => ({ ...one, protocol: one.protocol ?? "TCP" });
  const subsets = item.subsets.map((one) =>
    one.ports === undefined ? one : { ...one, ports: one.ports.map(complete) },
  );
  return { ...item, subsets };
}

function problems({ subsets = [] }: Endpoints, before?: Endpoints): readonly Problem[] {
  const isUntouched = JSON.stringify(subsets) === JSON.stringify(before?.subsets ?? []);
  return before !== undefined && isUntouched ? [] : subsets.flatMap(subsetProblems);
}

function subsetProblems(item: EndpointSubset, index: number): readonly Problem[] {
  const field = `subsets[${index}]`;
  const { addresses = [], notReadyAddresses = [], ports = [] } = item;
  return [
    ...(addresses.length + notReadyAddresses.length === 0
      ? [required(field, "must specify `addresses` or `notReadyAddresses`")]
      : []),
    ...addresses.flatMap((one, place) => addressProblems(one, `${field}.addresses[${place}]`)),
    ...notReadyAddresses.flatMap((one, place) =>
      addressProblems(one, `${field}.notReadyAddresses[${place}]`),
    ),
    ...ports.flatMap((one, place) =>
      portProblems(one, `${field}.ports[${place}]`, ports.length > 1),
    ),
  ];
}

function addressProblems({ ip, hostname, nodeName }: Address, field: string): readonly Problem[] {
  return [
    ...ipProblems(`${field}.ip`, ip),
    ...ruleProblems(dnsLabelProblems, `${field}.hostname`, hostname),
    ...ruleProblems(subdomainProblems, `${field}.nodeName`, nodeName),
    ...endpointIpProblems(`${field}.ip`, ip),
  ];
}

function portProblems(item: Port, field: string, needsName: boolean): readonly Problem[] {
  const { name, appProtocol, protocol = "" } = item;
  const lacksName = name === undefined && needsName;
  return [
    ...(lacksName ? [required(`${field}.name`)] : []),
    ...ruleProblems(dnsLabelProblems, `${field}.name`, name),
    ...portNumberProblems(`${field}.port`, item.port),
    ...protocolProblems(`${field}.protocol`, protocol),
    ...ruleProblems(qualifiedNameProblems, `${field}.appProtocol`, appProtocol),
  ];
}
