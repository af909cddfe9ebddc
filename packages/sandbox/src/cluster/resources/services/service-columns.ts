import { ageColumn, nameColumn } from "../../tables/common-columns.ts";
import { byCodeUnit } from "../../text-order.ts";
import type { Column } from "../definition.ts";
import type { Service, ServicePort } from "./service.ts";

export const serviceColumns: readonly Column<Service>[] = [
  nameColumn,
  ["Type", "How the service is reached.", ({ spec }) => spec.type ?? ""],
  [
    "Cluster-IP",
    "The service's first address within the cluster.",
    ({ spec }) => spec.clusterIPs?.[0] ?? "<none>",
  ],
  ["External-IP", "Where the service is reached from outside.", outside],
  [
    "Port(s)",
    "The service's ports, with their node ports.",
    ({ spec }) => (spec.ports ?? []).map(portText).join(",") || "<none>",
  ],
  ageColumn,
  [
    "Selector",
    "The labels of the pods that the service sends to.",
    ({ spec }) => labelsText(spec.selector),
    "wide",
  ],
];

function portText({ port, nodePort, protocol = "" }: ServicePort): string {
  return nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`;
}

function outside(service: Service): string {
  const { type, externalName = "", externalIPs = [] } = service.spec;
  switch (type) {
    case "ClusterIP":
    case "NodePort":
      return externalIPs.join(",") || "<none>";
    case "LoadBalancer": {
      const points = pointsText(service);
      return [...(points === "" ? [] : [points]), ...externalIPs].join(",") || "<pending>";
    }
    case "ExternalName":
      return externalName;
    default:
      return "<unknown>";
  }
}

function pointsText({ status }: Service): string {
  const points = (status.loadBalancer.ingress ?? []).map(
    ({ ip, hostname }) => ip ?? hostname ?? "",
  );
  return [...new Set(points)]
    .filter((point) => point !== "")
    .sort(byCodeUnit)
    .join(",");
}

/** Returns labels for a cell: `a=b,c=d`. */
function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.join(",") || "<none>";
}
