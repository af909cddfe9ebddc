import { create, get, MERGE, patch, put, statusAlone, stepsOf } from "../comparison.ts";
import { HTTP, HTTPS, ingress, loadBalancer, SERVICES, service, web } from "./services.ts";

/** What the server fills in. */
export const SERVICE_CREATION = stepsOf({
  "creates a service of one port": web("plain"),
  "creates a service with two families": web("both", { ipFamilyPolicy: "RequireDualStack" }),
  "prefers two families": web("prefers", { ipFamilyPolicy: "PreferDualStack" }),
  "creates a service of the second family": web("six", { ipFamilies: ["IPv6"] }),
  "creates a service with the second family first": web("sixfour", {
    ipFamilies: ["IPv6", "IPv4"],
    ipFamilyPolicy: "PreferDualStack",
  }),
  "creates a headless service": web("headless", { clusterIP: "None" }),
  "creates a headless service without ports": create(
    SERVICES,
    service("portless", { clusterIP: "None", selector: { a: "b" } }),
  ),
  "creates a headless service without selector": create(
    SERVICES,
    service("open", { clusterIP: "None", ports: [{ port: 1 }] }),
  ),
  "creates a headless service of one family without selector": create(
    SERVICES,
    service("open1", { clusterIP: "None", ipFamilyPolicy: "SingleStack" }),
  ),
  "creates an external name": create(
    SERVICES,
    service("ext", { type: "ExternalName", externalName: "a.example.com." }),
  ),
  "creates a node port service": web("np", { type: "NodePort", ports: [HTTP, HTTPS] }),
  "shares a node port between protocols of one port": web("dns", {
    type: "NodePort",
    ports: [
      { name: "t", port: 53, nodePort: 30053 },
      { name: "u", port: 53, protocol: "UDP" },
    ],
  }),
  "keeps affinity for three hours": web("sticky", { sessionAffinity: "ClientIP" }),
  "drops an affinity's setting where there is none": web("loose", {
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 7 } },
  }),
  "takes the names of ports as targets": web("named", {
    ports: [{ port: 80, targetPort: "http", appProtocol: "kubernetes.io/h2c" }],
  }),
  "takes external addresses": web("outside", { externalIPs: ["192.0.2.1"] }),
  "creates a load balancer's service": loadBalancer("lb"),
  "creates a load balancer's service with everything": create(
    SERVICES,
    service(
      "full",
      {
        type: "LoadBalancer",
        clusterIP: "10.96.0.77",
        clusterIPs: ["10.96.0.77", "fd00:96::77"],
        ipFamilyPolicy: "RequireDualStack",
        externalTrafficPolicy: "Local",
        internalTrafficPolicy: "Local",
        healthCheckNodePort: 30044,
        loadBalancerClass: "example.com/x",
        loadBalancerIP: "192.0.2.9",
        loadBalancerSourceRanges: [" 10.0.0.0/8 ", "2001:db8::/32"],
        allocateLoadBalancerNodePorts: false,
        publishNotReadyAddresses: true,
        trafficDistribution: "PreferClose",
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
        ports: [
          { name: "a", port: 1, targetPort: 2, nodePort: 30041 },
          { name: "b", port: 3, protocol: "SCTP" },
        ],
      },
      { labels: { a: "b" }, annotations: { c: "d" }, finalizers: ["e.f/g"] },
    ),
  ),
  "keeps a status out of a creation": create(SERVICES, {
    ...service("nostatus", { ports: [{ port: 80 }], type: "LoadBalancer" }),
    ...ingress({ ip: "192.0.2.1" }),
  }),
  "creates by PUT": put(`${SERVICES}/byput`, service("byput", { ports: [HTTP] })),
  "makes up a name": statusAlone(
    create(SERVICES, { metadata: { generateName: "gen-" }, spec: { ports: [HTTP] } }),
  ),
  "creates nothing in a dry run": create(
    `${SERVICES}?dryRun=All`,
    service("dry", { ports: [HTTP], type: "LoadBalancer" }),
  ),
  "shows placeholders for several ports and families in a dry run": create(
    `${SERVICES}?dryRun=All`,
    service("dry", {
      type: "LoadBalancer",
      ports: [HTTP, HTTPS],
      externalTrafficPolicy: "Local",
      ipFamilyPolicy: "RequireDualStack",
    }),
  ),
  "refuses a taken node port in a dry run too": create(
    `${SERVICES}?dryRun=All`,
    service("dry", { type: "NodePort", ports: [{ port: 1, nodePort: 30053 }] }),
  ),
  "changes a type in a dry run": patch(`${SERVICES}/plain?dryRun=All`, MERGE, {
    spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" },
  }),
  "has nothing after a dry run": get(`${SERVICES}/dry`),
});
