import { create, inOtherWords, stepsOf } from "../comparison.ts";
import { HTTP, HTTPS, loadBalancer, SERVICES, service, web } from "./services.ts";

/** What the server refuses. */
export const SERVICE_REFUSALS = stepsOf({
  "refuses no ports": create(SERVICES, service("x", {})),
  "refuses no spec": create(SERVICES, { metadata: { name: "x" } }),
  "refuses a name that is no label": web("a.b"),
  "takes a name that begins with a digit": web("1a"),
  "refuses a name that is too long": web("a".repeat(64)),
  "refuses port 0": web("x", { ports: [{ port: 0 }] }),
  "refuses port 65536": web("x", { ports: [{ port: 65536 }] }),
  "refuses a negative target": web("x", { ports: [{ port: 1, targetPort: -1 }] }),
  "refuses a target's name": web("x", {
    ports: [{ port: 1, targetPort: "A--b-and-much-too-long-" }],
  }),
  "refuses a target's name of digits": web("x", { ports: [{ port: 1, targetPort: "80" }] }),
  "refuses an unknown protocol": web("x", { ports: [{ port: 1, protocol: "HTTP" }] }),
  "refuses several ports without names": web("x", { ports: [{ port: 1 }, { port: 2 }] }),
  "refuses a port's name twice": web("x", { ports: [HTTP, { ...HTTPS, name: "http" }] }),
  "refuses a port's bad name": web("x", { ports: [{ port: 1, name: "A_b" }] }),
  "refuses a port's name with dots": web("x", { ports: [{ port: 1, name: "a.b" }] }),
  "refuses a port twice": web("x", { ports: [HTTP, { ...HTTP, name: "again" }] }),
  "refuses an application protocol": web("x", { ports: [{ port: 1, appProtocol: "a b" }] }),
  "refuses a text for a port": inOtherWords(web("x", { ports: [{ port: "http" }] })),
  "refuses an unknown type": web("x", { type: "Foo" }),
  "refuses an unknown affinity": web("x", { sessionAffinity: "Foo" }),
  "refuses an affinity of no time": web("x", {
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
  }),
  "refuses an affinity of two days": web("x", {
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 172800 } },
  }),
  "refuses a node port on a cluster address": web("x", { ports: [{ port: 1, nodePort: 30001 }] }),
  "refuses a node port that is taken": web("x", {
    type: "NodePort",
    ports: [{ port: 1, nodePort: 30053 }],
  }),
  "refuses a node port below the range": web("x", {
    type: "NodePort",
    ports: [{ port: 1, nodePort: 80 }],
  }),
  "refuses a node port above the range": loadBalancer("x", {
    ports: [{ port: 1, nodePort: 32768 }],
  }),
  "refuses a node port twice": web("x", {
    type: "NodePort",
    ports: [
      { ...HTTP, nodePort: 30002 },
      { ...HTTPS, nodePort: 30002 },
    ],
  }),
  "refuses an address that is taken": web("x", { clusterIP: "10.96.0.77" }),
  "refuses the API server's address": web("x", { clusterIP: "10.96.0.1" }),
  "refuses an address of another range": web("x", { clusterIP: "10.97.0.1" }),
  "refuses the network's address": web("x", { clusterIP: "10.96.0.0" }),
  "refuses the last address": web("x", { clusterIP: "10.96.255.255" }),
  "refuses what is no address": web("x", { clusterIP: "foo" }),
  "refuses leading zeros": web("x", { clusterIP: "10.96.000.9" }),
  "refuses a mapped address": web("x", { clusterIP: "::ffff:10.96.0.9" }),
  "refuses addresses without the first": web("x", { clusterIPs: ["10.96.0.9"] }),
  "refuses addresses that differ from the first": web("x", {
    clusterIP: "10.96.0.8",
    clusterIPs: ["10.96.0.9"],
  }),
  "refuses two addresses of one family": web("x", {
    clusterIP: "10.96.0.8",
    clusterIPs: ["10.96.0.8", "10.96.0.9"],
  }),
  "refuses two addresses for one family": web("x", {
    clusterIP: "10.96.0.8",
    clusterIPs: ["10.96.0.8", "fd00:96::8"],
    ipFamilyPolicy: "SingleStack",
  }),
  "refuses three addresses": web("x", {
    clusterIP: "10.96.0.8",
    clusterIPs: ["10.96.0.8", "fd00:96::8", "10.96.0.9"],
  }),
  "refuses None among others": web("x", { clusterIP: "None", clusterIPs: ["None", "10.96.0.9"] }),
  "refuses an address of the other family": web("x", {
    clusterIP: "10.96.0.8",
    ipFamilies: ["IPv6"],
  }),
  "refuses an unknown family": web("x", { ipFamilies: ["IPv5"] }),
  "refuses a family twice": web("x", { ipFamilies: ["IPv4", "IPv4"] }),
  "refuses two families in a single stack": web("x", { ipFamilies: ["IPv4", "IPv6"] }),
  "refuses an unknown policy of families": web("x", { ipFamilyPolicy: "Foo" }),
  "refuses a headless load balancer": loadBalancer("x", { clusterIP: "None" }),
  "refuses a headless node port": web("x", { type: "NodePort", clusterIP: "None" }),
  "refuses an external name without a name": create(
    SERVICES,
    service("x", { type: "ExternalName" }),
  ),
  "refuses an external name that is none": create(
    SERVICES,
    service("x", { type: "ExternalName", externalName: "A_b" }),
  ),
  "refuses an address for an external name": create(
    SERVICES,
    service("x", { type: "ExternalName", externalName: "a.b", clusterIP: "10.96.0.9" }),
  ),
  "refuses families for an external name": create(
    SERVICES,
    service("x", {
      type: "ExternalName",
      externalName: "a.b",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    }),
  ),
  "refuses source ranges that are none": loadBalancer("x", {
    loadBalancerSourceRanges: [
      "10.0.0.0",
      "10.0.0.0/33",
      "10.0.0.1/8",
      "010.0.0.0/8",
      "::ffff:1.2.3.4/128",
      "2001:db8::1/64",
    ],
  }),
  "refuses source ranges without a load balancer": web("x", {
    loadBalancerSourceRanges: ["10.0.0.0/8"],
  }),
  "refuses an annotated source range": create(
    SERVICES,
    service(
      "x",
      { type: "LoadBalancer", ports: [HTTP] },
      {
        annotations: {
          "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8, foo",
        },
      },
    ),
  ),
  "refuses a class without a load balancer": web("x", { loadBalancerClass: "a/b" }),
  "refuses a class that is none": loadBalancer("x", { loadBalancerClass: "a b" }),
  "refuses to allocate nothing without a load balancer": web("x", {
    allocateLoadBalancerNodePorts: false,
  }),
  "refuses an external policy inside": web("x", { externalTrafficPolicy: "Local" }),
  "refuses an unknown external policy": loadBalancer("x", { externalTrafficPolicy: "Foo" }),
  "refuses an unknown internal policy": web("x", { internalTrafficPolicy: "Foo" }),
  "refuses an unknown distribution": web("x", { trafficDistribution: "Foo" }),
  "refuses a health check port without need": loadBalancer("x", { healthCheckNodePort: 30010 }),
  "refuses a health check port that is taken": loadBalancer("x", {
    externalTrafficPolicy: "Local",
    healthCheckNodePort: 30053,
  }),
  "refuses external addresses": web("x", {
    externalIPs: [
      "foo",
      "127.0.0.1",
      "0.0.0.0",
      "169.254.1.1",
      "224.0.0.1",
      "::1",
      "fe80::1",
      "ff02::1",
      "::",
    ],
  }),
  "refuses a selector": web("x", { selector: { "a b": "c d" } }),
  "says all that is wrong at once": loadBalancer("x", {
    sessionAffinity: "F",
    externalTrafficPolicy: "G",
    ports: [{ port: 0, protocol: "H" }],
    loadBalancerClass: "i j",
  }),
  "refuses unknown fields when asked to be strict": create(
    `${SERVICES}?fieldValidation=Strict`,
    service("x", { ports: [{ port: 1, foo: 1 }], bar: 2 }),
  ),
  "refuses an existing name": web("plain"),
  "warns of ignored fields": web("warned", {
    clusterIP: "None",
    externalIPs: ["192.0.2.1"],
    externalName: "a.b",
    loadBalancerIP: "2001:DB8::1",
    sessionAffinity: "ClientIP",
  }),
});
