import { JSON_PATCH, MERGE, patch, put, STRATEGIC, type Step } from "../comparison.ts";
import {
  get,
  ingress,
  LB,
  LB_STATUS,
  merge,
  remove,
  SERVICES,
  service,
  status,
  web,
} from "./services.ts";

/** The status, as a service controller writes it, and then what can be read. */
export const SERVICE_STATUS: readonly Step[] = [
  {
    does: "adds a finalizer by the status",
    ...status(STRATEGIC, {
      metadata: {
        "$setElementOrder/finalizers": ["service.kubernetes.io/load-balancer-cleanup"],
        finalizers: ["service.kubernetes.io/load-balancer-cleanup"],
      },
    }),
  },
  {
    does: "adds labels and annotations by the status",
    ...status(MERGE, {
      metadata: {
        labels: { l: "1" },
        annotations: { a: "1" },
        ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "x", uid: "u" }],
      },
    }),
  },
  { does: "writes an address", ...status(STRATEGIC, ingress({ ip: "192.0.2.1" })) },
  {
    does: "writes an address by JSON patch",
    ...status(JSON_PATCH, [
      {
        op: "replace",
        path: "/status/loadBalancer",
        value: {
          ingress: [
            {
              ip: "192.0.2.2",
              ipMode: "Proxy",
              ports: [{ port: 80, protocol: "TCP", error: "a.b/C" }],
            },
          ],
        },
      },
    ]),
  },
  { does: "writes a host name", ...status(MERGE, ingress({ hostname: "a.example.com" })) },
  {
    does: "writes both",
    ...status(
      MERGE,
      ingress({ ip: "192.0.2.3", hostname: "a.example.com" }, { ip: "2001:db8::1" }),
    ),
  },
  { does: "refuses what is no address", ...status(MERGE, ingress({ ip: "a.b" })) },
  {
    does: "refuses a mode without an address",
    ...status(MERGE, ingress({ hostname: "a.b", ipMode: "VIP" })),
  },
  {
    does: "refuses an unknown mode",
    ...status(MERGE, ingress({ ip: "192.0.2.3", ipMode: "Foo" })),
  },
  {
    does: "refuses a host name that is an address",
    ...status(MERGE, ingress({ hostname: "192.0.2.3" })),
  },
  { does: "refuses a host name that is none", ...status(MERGE, ingress({ hostname: "A_b" })) },
  { does: "takes an empty point", ...status(MERGE, ingress({})) },
  {
    does: "refuses a port that is a text",
    ...status(MERGE, ingress({ ip: "192.0.2.3", ports: [{ port: "x" }] })),
    apart: "message",
  },
  {
    does: "writes conditions",
    ...status(STRATEGIC, {
      status: {
        conditions: [
          {
            type: "Ready",
            status: "True",
            reason: "R",
            message: "m",
            lastTransitionTime: "2026-01-01T00:00:00Z",
          },
        ],
      },
    }),
  },
  {
    does: "merges conditions by type",
    ...status(STRATEGIC, {
      status: {
        conditions: [
          { type: "Other", status: "False", observedGeneration: 3 },
          { type: "Ready", status: "False" },
        ],
      },
    }),
  },
  {
    does: "ignores a spec in the status",
    ...status(MERGE, { spec: { type: "ClusterIP", ports: [] } }),
  },
  { does: "ignores a status in the spec", ...patch(LB, MERGE, ingress({ ip: "192.0.2.99" })) },
  {
    does: "refuses an address by PUT without the type",
    ...put(LB_STATUS, { metadata: { name: "lb" }, ...ingress({ ip: "192.0.2.5" }) }),
  },
  {
    does: "takes an address by PUT",
    ...put(LB_STATUS, {
      metadata: { name: "lb", finalizers: ["service.kubernetes.io/load-balancer-cleanup"] },
      spec: { type: "LoadBalancer" },
      ...ingress({ ip: "192.0.2.5" }),
    }),
  },
  { does: "reads the status", ...get(LB_STATUS) },
  { does: "has no creation by the status", ...put(`${SERVICES}/nope/status`, service("nope", {})) },
  {
    does: "refuses an address for another type",
    ...patch(`${SERVICES}/np/status`, MERGE, ingress({ ip: "192.0.2.5" })),
  },
  { does: "clears the status with the type", ...merge("lb", { type: "ClusterIP" }) },
  { does: "gets its balancer back", ...merge("lb", { type: "LoadBalancer" }) },
  { does: "only marks what a finalizer holds", ...remove("lb") },
  {
    does: "writes the status of what is being deleted",
    ...status(MERGE, ingress({ ip: "192.0.2.6" })),
  },
  {
    does: "refuses a finalizer then",
    ...status(STRATEGIC, { metadata: { finalizers: ["x.y/z"] } }),
  },
  {
    does: "goes with its last finalizer, by the status",
    ...status(STRATEGIC, {
      metadata: {
        "$deleteFromPrimitiveList/finalizers": ["service.kubernetes.io/load-balancer-cleanup"],
        "$setElementOrder/finalizers": [],
      },
    }),
  },
  { does: "is gone then", ...get(LB) },
  {
    does: "gets what the deleted one had",
    ...web("heir", { type: "NodePort", ports: [{ port: 1, nodePort: 30030 }] }),
  },
  { does: "answers a deletion with the service", ...remove("heir") },

  // Reads.
  { does: "selects by type", ...get(`${SERVICES}?fieldSelector=spec.type=ExternalName`) },
  {
    does: "selects by address",
    ...get(`${SERVICES}?fieldSelector=spec.clusterIP=None,metadata.name=headless`),
  },
  { does: "knows no other field", ...get(`${SERVICES}?fieldSelector=spec.selector=x`) },
  { does: "selects by labels", ...get(`${SERVICES}?labelSelector=a=b`) },
  { does: "deletes a collection", method: "DELETE", path: `${SERVICES}?labelSelector=a=b` },
  { does: "shows the API server's own", ...get(`${SERVICES}/kubernetes`), apart: "body" },
];
