import { JSON_PATCH, patch, put, STRATEGIC, type Step } from "../comparison.ts";
import { HTTP, HTTPS, LB, merge, SERVICES, service } from "./services.ts";

/** What changes of a Service do. */
export const SERVICE_CHANGES: readonly Step[] = [
  {
    does: "leaves a service alone that is put as it was made",
    ...put(
      `${SERVICES}/plain`,
      service("plain", { selector: { app: "web" }, ports: [{ port: 80 }] }),
    ),
  },
  {
    does: "keeps node ports that a PUT leaves out",
    ...put(
      `${SERVICES}/np`,
      service("np", { type: "NodePort", ports: [{ ...HTTP, targetPort: 8080 }, HTTPS] }),
    ),
  },
  { does: "refuses another address", ...merge("plain", { clusterIP: "10.96.0.50" }) },
  {
    does: "refuses other addresses",
    ...merge("plain", { clusterIP: "10.96.0.50", clusterIPs: ["10.96.0.50"] }),
  },
  {
    does: "keeps an address that is emptied",
    ...merge("plain", { clusterIP: null, clusterIPs: null }),
  },
  { does: "refuses to become headless", ...merge("plain", { clusterIP: "None" }) },
  { does: "refuses another family", ...merge("plain", { ipFamilies: ["IPv6"] }) },
  { does: "gets a second family", ...merge("plain", { ipFamilyPolicy: "PreferDualStack" }) },
  {
    does: "refuses to lose the second address by itself",
    ...merge("both", { clusterIPs: null, ipFamilies: ["IPv4"] }),
  },
  { does: "loses the second family", ...merge("plain", { ipFamilyPolicy: "SingleStack" }) },
  {
    does: "gets a second address that it names",
    ...put(
      `${SERVICES}/plain`,
      service("plain", {
        selector: { app: "web" },
        ports: [{ port: 80 }],
        ipFamilyPolicy: "RequireDualStack",
        ipFamilies: ["IPv4", "IPv6"],
      }),
    ),
  },
  { does: "keeps what it prefers", ...merge("prefers", { selector: { other: "x" } }) },
  { does: "adds a port", ...merge("plain", { ports: [HTTP, HTTPS] }) },
  {
    does: "merges ports by their number",
    ...patch(`${SERVICES}/plain`, STRATEGIC, {
      spec: { ports: [{ port: 443, targetPort: 8443 }] },
    }),
  },
  {
    does: "removes a port by its number",
    ...patch(`${SERVICES}/plain`, STRATEGIC, {
      spec: { ports: [{ port: 443, $patch: "delete" }] },
    }),
  },
  {
    does: "orders ports as directed",
    ...patch(`${SERVICES}/plain`, STRATEGIC, {
      spec: {
        "$setElementOrder/ports": [{ port: 81 }, { port: 80 }],
        ports: [{ port: 81, name: "n" }],
      },
    }),
  },
  { does: "becomes a node port service", ...merge("plain", { type: "NodePort" }) },
  { does: "becomes a balancer's service", ...merge("plain", { type: "LoadBalancer" }) },
  { does: "sends to local pods only", ...merge("plain", { externalTrafficPolicy: "Local" }) },
  { does: "refuses another health check port", ...merge("plain", { healthCheckNodePort: 30015 }) },
  { does: "sends everywhere again", ...merge("plain", { externalTrafficPolicy: "Cluster" }) },
  {
    does: "gets a health check port that it names",
    ...merge("plain", { externalTrafficPolicy: "Local", healthCheckNodePort: 30015 }),
  },
  { does: "becomes an internal service", ...merge("plain", { type: "ClusterIP" }) },
  {
    does: "becomes an external name",
    ...merge("plain", { type: "ExternalName", externalName: "x.y" }),
  },
  { does: "becomes a balancer's service from a name", ...merge("plain", { type: "LoadBalancer" }) },
  { does: "becomes a name from a balancer's service", ...merge("plain", { type: "ExternalName" }) },
  { does: "becomes an internal service from a name", ...merge("plain", { type: "ClusterIP" }) },
  {
    does: "refuses a node port with the change of type",
    ...put(
      `${SERVICES}/np`,
      service("np", { type: "ClusterIP", ports: [{ ...HTTP, nodePort: 30020 }] }),
    ),
  },
  { does: "changes a node port", ...merge("np", { ports: [{ ...HTTP, nodePort: 30021 }] }) },
  {
    does: "refuses a taken node port in a change",
    ...merge("np", { ports: [{ ...HTTP, nodePort: 30053 }] }),
  },
  {
    does: "becomes a node port service without its balancer's fields",
    ...merge("full", { type: "NodePort" }),
  },
  {
    does: "becomes internal with its own source ranges refused",
    ...merge("full", { type: "ClusterIP" }),
  },
  {
    does: "becomes internal",
    ...merge("full", { type: "ClusterIP", loadBalancerSourceRanges: null }),
  },
  {
    does: "takes a class with the type",
    ...merge("full", { type: "LoadBalancer", loadBalancerClass: "c.d/e" }),
  },
  { does: "refuses another class", ...merge("full", { loadBalancerClass: "c.d/f" }) },
  { does: "refuses to lose its class", ...merge("full", { loadBalancerClass: null }) },
  {
    does: "stops allocating node ports and keeps those it has",
    ...merge("lb", { allocateLoadBalancerNodePorts: false }),
  },
  {
    does: "gives node ports up",
    ...patch(LB, JSON_PATCH, [{ op: "remove", path: "/spec/ports/0/nodePort" }]),
  },
  {
    does: "allocates node ports again",
    ...merge("lb", { allocateLoadBalancerNodePorts: true, ports: [{ port: 80, nodePort: 30030 }] }),
  },
  { does: "refuses a type that is none", ...merge("lb", { type: "Foo" }) },
  {
    does: "refuses an old version",
    ...put(LB, {
      ...service("lb", { type: "LoadBalancer", ports: [HTTP] }),
      metadata: { name: "lb", resourceVersion: "1" },
    }),
  },
  {
    does: "refuses to give headless families up",
    ...merge("open", { ipFamilies: ["IPv6"], ipFamilyPolicy: "SingleStack" }),
  },
];
