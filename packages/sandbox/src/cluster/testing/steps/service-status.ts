import {
  get,
  inOtherWords,
  JSON_PATCH,
  MERGE,
  patch,
  put,
  removeAt,
  STRATEGIC,
  statusAlone,
  stepsOf,
} from "../comparison.ts";
import {
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
export const SERVICE_STATUS = stepsOf({
  "adds a finalizer by the status": status(STRATEGIC, {
    metadata: {
      "$setElementOrder/finalizers": ["service.kubernetes.io/load-balancer-cleanup"],
      finalizers: ["service.kubernetes.io/load-balancer-cleanup"],
    },
  }),
  "adds labels and annotations by the status": status(MERGE, {
    metadata: {
      labels: { l: "1" },
      annotations: { a: "1" },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "x", uid: "u" }],
    },
  }),
  "writes an address": status(STRATEGIC, ingress({ ip: "192.0.2.1" })),
  "writes an address by JSON patch": status(JSON_PATCH, [
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
  "writes a host name": status(MERGE, ingress({ hostname: "a.example.com" })),
  "writes both": status(
    MERGE,
    ingress({ ip: "192.0.2.3", hostname: "a.example.com" }, { ip: "2001:db8::1" }),
  ),
  "refuses what is no address": status(MERGE, ingress({ ip: "a.b" })),
  "refuses a mode without an address": status(MERGE, ingress({ hostname: "a.b", ipMode: "VIP" })),
  "refuses an unknown mode": status(MERGE, ingress({ ip: "192.0.2.3", ipMode: "Foo" })),
  "refuses a host name that is an address": status(MERGE, ingress({ hostname: "192.0.2.3" })),
  "refuses a host name that is none": status(MERGE, ingress({ hostname: "A_b" })),
  "takes an empty point": status(MERGE, ingress({})),
  "refuses a port that is a text": inOtherWords(
    status(MERGE, ingress({ ip: "192.0.2.3", ports: [{ port: "x" }] })),
  ),
  "writes conditions": status(STRATEGIC, {
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
  "merges conditions by type": status(STRATEGIC, {
    status: {
      conditions: [
        { type: "Other", status: "False", observedGeneration: 3 },
        { type: "Ready", status: "False" },
      ],
    },
  }),
  "ignores a spec in the status": status(MERGE, { spec: { type: "ClusterIP", ports: [] } }),
  "ignores a status in the spec": patch(LB, MERGE, ingress({ ip: "192.0.2.99" })),
  "refuses an address by PUT without the type": put(LB_STATUS, {
    metadata: { name: "lb" },
    ...ingress({ ip: "192.0.2.5" }),
  }),
  "takes an address by PUT": put(LB_STATUS, {
    metadata: { name: "lb", finalizers: ["service.kubernetes.io/load-balancer-cleanup"] },
    spec: { type: "LoadBalancer" },
    ...ingress({ ip: "192.0.2.5" }),
  }),
  "reads the status": get(LB_STATUS),
  "has no creation by the status": put(`${SERVICES}/nope/status`, service("nope", {})),
  "refuses an address for another type": patch(
    `${SERVICES}/np/status`,
    MERGE,
    ingress({ ip: "192.0.2.5" }),
  ),
  "clears the status with the type": merge("lb", { type: "ClusterIP" }),
  "gets its load balancer back": merge("lb", { type: "LoadBalancer" }),
  "only marks what a finalizer holds": remove("lb"),
  "writes the status of what is being deleted": status(MERGE, ingress({ ip: "192.0.2.6" })),
  "refuses a finalizer then": status(STRATEGIC, { metadata: { finalizers: ["x.y/z"] } }),
  "goes with its last finalizer, by the status": status(STRATEGIC, {
    metadata: {
      "$deleteFromPrimitiveList/finalizers": ["service.kubernetes.io/load-balancer-cleanup"],
      "$setElementOrder/finalizers": [],
    },
  }),
  "is gone then": get(LB),
  "gets what the deleted one had": web("heir", {
    type: "NodePort",
    ports: [{ port: 1, nodePort: 30030 }],
  }),
  "answers a deletion with the service": remove("heir"),
  // Reads.
  "selects by type": get(`${SERVICES}?fieldSelector=spec.type=ExternalName`),
  "selects by address": get(`${SERVICES}?fieldSelector=spec.clusterIP=None,metadata.name=headless`),
  "knows no other field": get(`${SERVICES}?fieldSelector=spec.selector=x`),
  "selects by labels": get(`${SERVICES}?labelSelector=a=b`),
  "deletes a collection": removeAt(`${SERVICES}?labelSelector=a=b`),
  "shows the API server's own": statusAlone(get(`${SERVICES}/kubernetes`)),
});
