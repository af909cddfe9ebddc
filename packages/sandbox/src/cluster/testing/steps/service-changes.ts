import { JSON_PATCH, patch, put, STRATEGIC, stepsOf } from "../comparison.ts";
import { HTTP, HTTPS, LB, merge, SERVICES, service } from "./services.ts";

/** The effects of changes of a Service. */
export const SERVICE_CHANGES = stepsOf({
  "leaves a service alone that is put as it was made": put(
    `${SERVICES}/plain`,
    service("plain", { selector: { app: "web" }, ports: [{ port: 80 }] }),
  ),
  "keeps node ports that a PUT leaves out": put(
    `${SERVICES}/np`,
    service("np", { type: "NodePort", ports: [{ ...HTTP, targetPort: 8080 }, HTTPS] }),
  ),
  "refuses another address": merge("plain", { clusterIP: "10.96.0.50" }),
  "refuses other addresses": merge("plain", {
    clusterIP: "10.96.0.50",
    clusterIPs: ["10.96.0.50"],
  }),
  "keeps an address that is emptied": merge("plain", { clusterIP: null, clusterIPs: null }),
  "refuses to become headless": merge("plain", { clusterIP: "None" }),
  "refuses another family": merge("plain", { ipFamilies: ["IPv6"] }),
  "gets a second family": merge("plain", { ipFamilyPolicy: "PreferDualStack" }),
  "refuses to lose the second address by itself": merge("both", {
    clusterIPs: null,
    ipFamilies: ["IPv4"],
  }),
  "loses the second family": merge("plain", { ipFamilyPolicy: "SingleStack" }),
  "gets a second address that it names": put(
    `${SERVICES}/plain`,
    service("plain", {
      selector: { app: "web" },
      ports: [{ port: 80 }],
      ipFamilyPolicy: "RequireDualStack",
      ipFamilies: ["IPv4", "IPv6"],
    }),
  ),
  "keeps what it prefers": merge("prefers", { selector: { other: "x" } }),
  "adds a port": merge("plain", { ports: [HTTP, HTTPS] }),
  "merges ports by their number": patch(`${SERVICES}/plain`, STRATEGIC, {
    spec: { ports: [{ port: 443, targetPort: 8443 }] },
  }),
  "removes a port by its number": patch(`${SERVICES}/plain`, STRATEGIC, {
    spec: { ports: [{ port: 443, $patch: "delete" }] },
  }),
  "orders ports as directed": patch(`${SERVICES}/plain`, STRATEGIC, {
    spec: {
      "$setElementOrder/ports": [{ port: 81 }, { port: 80 }],
      ports: [{ port: 81, name: "n" }],
    },
  }),
  "becomes a node port service": merge("plain", { type: "NodePort" }),
  "becomes a load balancer's service": merge("plain", { type: "LoadBalancer" }),
  "sends to local pods only": merge("plain", { externalTrafficPolicy: "Local" }),
  "refuses another health check port": merge("plain", { healthCheckNodePort: 30015 }),
  "sends everywhere again": merge("plain", { externalTrafficPolicy: "Cluster" }),
  "gets a health check port that it names": merge("plain", {
    externalTrafficPolicy: "Local",
    healthCheckNodePort: 30015,
  }),
  "becomes an internal service": merge("plain", { type: "ClusterIP" }),
  "becomes an external name": merge("plain", { type: "ExternalName", externalName: "x.y" }),
  "becomes a load balancer's service from a name": merge("plain", { type: "LoadBalancer" }),
  "becomes a name from a load balancer's service": merge("plain", { type: "ExternalName" }),
  "becomes an internal service from a name": merge("plain", { type: "ClusterIP" }),
  "refuses a node port with the change of type": put(
    `${SERVICES}/np`,
    service("np", { type: "ClusterIP", ports: [{ ...HTTP, nodePort: 30020 }] }),
  ),
  "changes a node port": merge("np", { ports: [{ ...HTTP, nodePort: 30021 }] }),
  "refuses a taken node port in a change": merge("np", { ports: [{ ...HTTP, nodePort: 30053 }] }),
  "becomes a node port service without its load balancer's fields": merge("full", {
    type: "NodePort",
  }),
  "becomes internal with its own source ranges refused": merge("full", { type: "ClusterIP" }),
  "becomes internal": merge("full", { type: "ClusterIP", loadBalancerSourceRanges: null }),
  "takes a class with the type": merge("full", {
    type: "LoadBalancer",
    loadBalancerClass: "c.d/e",
  }),
  "refuses another class": merge("full", { loadBalancerClass: "c.d/f" }),
  "refuses to lose its class": merge("full", { loadBalancerClass: null }),
  "stops allocating node ports and keeps those it has": merge("lb", {
    allocateLoadBalancerNodePorts: false,
  }),
  "gives node ports up": patch(LB, JSON_PATCH, [{ op: "remove", path: "/spec/ports/0/nodePort" }]),
  "allocates node ports again": merge("lb", {
    allocateLoadBalancerNodePorts: true,
    ports: [{ port: 80, nodePort: 30030 }],
  }),
  "refuses a type that is none": merge("lb", { type: "Foo" }),
  "refuses an old version": put(LB, {
    ...service("lb", { type: "LoadBalancer", ports: [HTTP] }),
    metadata: { name: "lb", resourceVersion: "1" },
  }),
  "refuses to give headless families up": merge("open", {
    ipFamilies: ["IPv6"],
    ipFamilyPolicy: "SingleStack",
  }),
});
