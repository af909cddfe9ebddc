import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import {
  create,
  JSON_PATCH,
  MERGE,
  patch,
  put,
  STRATEGIC,
  type Step,
  verdict,
} from "./testing/comparison.ts";
import { missingRealCluster, type RealCluster, startRealCluster } from "./testing/real-cluster.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const LB = `${SERVICES}/lb`;
const LB_STATUS = `${LB}/status`;
const HTTP = { name: "http", port: 80 };
const HTTPS = { name: "https", port: 443 };

const service = (name: string, spec: object, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec,
});
const web = (name: string, spec: object = {}) =>
  create(SERVICES, service(name, { selector: { app: "web" }, ports: [{ port: 80 }], ...spec }));
const balancer = (name: string, spec: object = {}) => web(name, { type: "LoadBalancer", ...spec });
const merge = (name: string, spec: object) => patch(`${SERVICES}/${name}`, MERGE, { spec });
const get = (path: string) => ({ method: "GET", path });
const remove = (name: string) => ({ method: "DELETE", path: `${SERVICES}/${name}` });
const status = (type: string, body: unknown) => patch(LB_STATUS, type, body);
const ingress = (...points: object[]) => ({ status: { loadBalancer: { ingress: points } } });

/** In order: later steps stand on what earlier ones left. */
const STEPS: readonly Step[] = [
  // What the server fills in.
  { does: "creates a service of one port", ...web("plain") },
  {
    does: "creates a service with two families",
    ...web("both", { ipFamilyPolicy: "RequireDualStack" }),
  },
  {
    does: "prefers two families",
    ...web("prefers", { ipFamilyPolicy: "PreferDualStack" }),
  },
  { does: "creates a service of the second family", ...web("six", { ipFamilies: ["IPv6"] }) },
  {
    does: "creates a service with the second family first",
    ...web("sixfour", { ipFamilies: ["IPv6", "IPv4"], ipFamilyPolicy: "PreferDualStack" }),
  },
  { does: "creates a headless service", ...web("headless", { clusterIP: "None" }) },
  {
    does: "creates a headless service without ports",
    ...create(SERVICES, service("portless", { clusterIP: "None", selector: { a: "b" } })),
  },
  {
    does: "creates a headless service without selector",
    ...create(SERVICES, service("open", { clusterIP: "None", ports: [{ port: 1 }] })),
  },
  {
    does: "creates a headless service of one family without selector",
    ...create(SERVICES, service("open1", { clusterIP: "None", ipFamilyPolicy: "SingleStack" })),
  },
  {
    does: "creates an external name",
    ...create(SERVICES, service("ext", { type: "ExternalName", externalName: "a.example.com." })),
  },
  {
    does: "creates a node port service",
    ...web("np", { type: "NodePort", ports: [HTTP, HTTPS] }),
  },
  {
    does: "shares a node port between protocols of one port",
    ...web("dns", {
      type: "NodePort",
      ports: [
        { name: "t", port: 53, nodePort: 30053 },
        { name: "u", port: 53, protocol: "UDP" },
      ],
    }),
  },
  {
    does: "keeps affinity for three hours",
    ...web("sticky", { sessionAffinity: "ClientIP" }),
  },
  {
    does: "drops an affinity's setting where there is none",
    ...web("loose", { sessionAffinityConfig: { clientIP: { timeoutSeconds: 7 } } }),
  },
  {
    does: "takes the names of ports as targets",
    ...web("named", {
      ports: [{ port: 80, targetPort: "http", appProtocol: "kubernetes.io/h2c" }],
    }),
  },
  { does: "takes external addresses", ...web("outside", { externalIPs: ["192.0.2.1"] }) },
  { does: "creates a balancer's service", ...balancer("lb") },
  {
    does: "creates a balancer's service with everything",
    ...create(
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
  },
  {
    does: "keeps a status out of a creation",
    ...create(SERVICES, {
      ...service("nostatus", { ports: [{ port: 80 }], type: "LoadBalancer" }),
      ...ingress({ ip: "192.0.2.1" }),
    }),
  },
  { does: "creates by PUT", ...put(`${SERVICES}/byput`, service("byput", { ports: [HTTP] })) },
  {
    does: "makes up a name",
    ...create(SERVICES, { metadata: { generateName: "gen-" }, spec: { ports: [HTTP] } }),
    apart: "body",
  },
  {
    does: "creates nothing in a dry run",
    ...create(`${SERVICES}?dryRun=All`, service("dry", { ports: [HTTP], type: "LoadBalancer" })),
  },
  {
    does: "shows placeholders for several ports and families in a dry run",
    ...create(
      `${SERVICES}?dryRun=All`,
      service("dry", {
        type: "LoadBalancer",
        ports: [HTTP, HTTPS],
        externalTrafficPolicy: "Local",
        ipFamilyPolicy: "RequireDualStack",
      }),
    ),
  },
  {
    does: "refuses a taken node port in a dry run too",
    ...create(
      `${SERVICES}?dryRun=All`,
      service("dry", { type: "NodePort", ports: [{ port: 1, nodePort: 30053 }] }),
    ),
  },
  {
    does: "changes a type in a dry run",
    ...patch(`${SERVICES}/plain?dryRun=All`, MERGE, {
      spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" },
    }),
  },
  { does: "has nothing after a dry run", ...get(`${SERVICES}/dry`) },

  // What it refuses.
  { does: "refuses no ports", ...create(SERVICES, service("x", {})) },
  { does: "refuses no spec", ...create(SERVICES, { metadata: { name: "x" } }) },
  { does: "refuses a name that is no label", ...web("a.b") },
  { does: "takes a name that begins with a digit", ...web("1a") },
  { does: "refuses a name that is too long", ...web("a".repeat(64)) },
  { does: "refuses port 0", ...web("x", { ports: [{ port: 0 }] }) },
  { does: "refuses port 65536", ...web("x", { ports: [{ port: 65536 }] }) },
  { does: "refuses a negative target", ...web("x", { ports: [{ port: 1, targetPort: -1 }] }) },
  {
    does: "refuses a target's name",
    ...web("x", { ports: [{ port: 1, targetPort: "A--b-and-much-too-long-" }] }),
  },
  {
    does: "refuses a target's name of digits",
    ...web("x", { ports: [{ port: 1, targetPort: "80" }] }),
  },
  { does: "refuses an unknown protocol", ...web("x", { ports: [{ port: 1, protocol: "HTTP" }] }) },
  {
    does: "refuses several ports without names",
    ...web("x", { ports: [{ port: 1 }, { port: 2 }] }),
  },
  {
    does: "refuses a port's name twice",
    ...web("x", { ports: [HTTP, { ...HTTPS, name: "http" }] }),
  },
  { does: "refuses a port's bad name", ...web("x", { ports: [{ port: 1, name: "A_b" }] }) },
  { does: "refuses a port's name with dots", ...web("x", { ports: [{ port: 1, name: "a.b" }] }) },
  { does: "refuses a port twice", ...web("x", { ports: [HTTP, { ...HTTP, name: "again" }] }) },
  {
    does: "refuses an application protocol",
    ...web("x", { ports: [{ port: 1, appProtocol: "a b" }] }),
  },
  {
    does: "refuses a text for a port",
    ...web("x", { ports: [{ port: "http" }] }),
    apart: "message",
  },
  { does: "refuses an unknown type", ...web("x", { type: "Foo" }) },
  { does: "refuses an unknown affinity", ...web("x", { sessionAffinity: "Foo" }) },
  {
    does: "refuses an affinity of no time",
    ...web("x", {
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
    }),
  },
  {
    does: "refuses an affinity of two days",
    ...web("x", {
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 172800 } },
    }),
  },
  {
    does: "refuses a node port on a cluster address",
    ...web("x", { ports: [{ port: 1, nodePort: 30001 }] }),
  },
  {
    does: "refuses a node port that is taken",
    ...web("x", { type: "NodePort", ports: [{ port: 1, nodePort: 30053 }] }),
  },
  {
    does: "refuses a node port below the range",
    ...web("x", { type: "NodePort", ports: [{ port: 1, nodePort: 80 }] }),
  },
  {
    does: "refuses a node port above the range",
    ...balancer("x", { ports: [{ port: 1, nodePort: 32768 }] }),
  },
  {
    does: "refuses a node port twice",
    ...web("x", {
      type: "NodePort",
      ports: [
        { ...HTTP, nodePort: 30002 },
        { ...HTTPS, nodePort: 30002 },
      ],
    }),
  },
  { does: "refuses an address that is taken", ...web("x", { clusterIP: "10.96.0.77" }) },
  { does: "refuses the API server's address", ...web("x", { clusterIP: "10.96.0.1" }) },
  { does: "refuses an address of another range", ...web("x", { clusterIP: "10.97.0.1" }) },
  { does: "refuses the network's address", ...web("x", { clusterIP: "10.96.0.0" }) },
  { does: "refuses the last address", ...web("x", { clusterIP: "10.96.255.255" }) },
  { does: "refuses what is no address", ...web("x", { clusterIP: "foo" }) },
  { does: "refuses leading zeros", ...web("x", { clusterIP: "10.96.000.9" }) },
  { does: "refuses a mapped address", ...web("x", { clusterIP: "::ffff:10.96.0.9" }) },
  { does: "refuses addresses without the first", ...web("x", { clusterIPs: ["10.96.0.9"] }) },
  {
    does: "refuses addresses that differ from the first",
    ...web("x", { clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.9"] }),
  },
  {
    does: "refuses two addresses of one family",
    ...web("x", { clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.8", "10.96.0.9"] }),
  },
  {
    does: "refuses two addresses for one family",
    ...web("x", {
      clusterIP: "10.96.0.8",
      clusterIPs: ["10.96.0.8", "fd00:96::8"],
      ipFamilyPolicy: "SingleStack",
    }),
  },
  {
    does: "refuses three addresses",
    ...web("x", { clusterIP: "10.96.0.8", clusterIPs: ["10.96.0.8", "fd00:96::8", "10.96.0.9"] }),
  },
  {
    does: "refuses None among others",
    ...web("x", { clusterIP: "None", clusterIPs: ["None", "10.96.0.9"] }),
  },
  {
    does: "refuses an address of the other family",
    ...web("x", { clusterIP: "10.96.0.8", ipFamilies: ["IPv6"] }),
  },
  { does: "refuses an unknown family", ...web("x", { ipFamilies: ["IPv5"] }) },
  { does: "refuses a family twice", ...web("x", { ipFamilies: ["IPv4", "IPv4"] }) },
  { does: "refuses two families in a single stack", ...web("x", { ipFamilies: ["IPv4", "IPv6"] }) },
  { does: "refuses an unknown policy of families", ...web("x", { ipFamilyPolicy: "Foo" }) },
  { does: "refuses a headless balancer", ...balancer("x", { clusterIP: "None" }) },
  { does: "refuses a headless node port", ...web("x", { type: "NodePort", clusterIP: "None" }) },
  {
    does: "refuses an external name without a name",
    ...create(SERVICES, service("x", { type: "ExternalName" })),
  },
  {
    does: "refuses an external name that is none",
    ...create(SERVICES, service("x", { type: "ExternalName", externalName: "A_b" })),
  },
  {
    does: "refuses an address for an external name",
    ...create(
      SERVICES,
      service("x", { type: "ExternalName", externalName: "a.b", clusterIP: "10.96.0.9" }),
    ),
  },
  {
    does: "refuses families for an external name",
    ...create(
      SERVICES,
      service("x", {
        type: "ExternalName",
        externalName: "a.b",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
      }),
    ),
  },
  {
    does: "refuses source ranges that are none",
    ...balancer("x", {
      loadBalancerSourceRanges: [
        "10.0.0.0",
        "10.0.0.0/33",
        "10.0.0.1/8",
        "010.0.0.0/8",
        "::ffff:1.2.3.4/128",
        "2001:db8::1/64",
      ],
    }),
  },
  {
    does: "refuses source ranges without a balancer",
    ...web("x", { loadBalancerSourceRanges: ["10.0.0.0/8"] }),
  },
  {
    does: "refuses an annotated source range",
    ...create(
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
  },
  { does: "refuses a class without a balancer", ...web("x", { loadBalancerClass: "a/b" }) },
  { does: "refuses a class that is none", ...balancer("x", { loadBalancerClass: "a b" }) },
  {
    does: "refuses to allocate nothing without a balancer",
    ...web("x", { allocateLoadBalancerNodePorts: false }),
  },
  { does: "refuses an external policy inside", ...web("x", { externalTrafficPolicy: "Local" }) },
  {
    does: "refuses an unknown external policy",
    ...balancer("x", { externalTrafficPolicy: "Foo" }),
  },
  { does: "refuses an unknown internal policy", ...web("x", { internalTrafficPolicy: "Foo" }) },
  { does: "refuses an unknown distribution", ...web("x", { trafficDistribution: "Foo" }) },
  {
    does: "refuses a health check port without need",
    ...balancer("x", { healthCheckNodePort: 30010 }),
  },
  {
    does: "refuses a health check port that is taken",
    ...balancer("x", { externalTrafficPolicy: "Local", healthCheckNodePort: 30053 }),
  },
  {
    does: "refuses external addresses",
    ...web("x", {
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
  },
  { does: "refuses a selector", ...web("x", { selector: { "a b": "c d" } }) },
  {
    does: "says all that is wrong at once",
    ...balancer("x", {
      sessionAffinity: "F",
      externalTrafficPolicy: "G",
      ports: [{ port: 0, protocol: "H" }],
      loadBalancerClass: "i j",
    }),
  },
  {
    does: "refuses unknown fields when asked to be strict",
    ...create(
      `${SERVICES}?fieldValidation=Strict`,
      service("x", { ports: [{ port: 1, foo: 1 }], bar: 2 }),
    ),
  },
  { does: "refuses an existing name", ...web("plain") },
  {
    does: "warns of ignored fields",
    ...web("warned", {
      clusterIP: "None",
      externalIPs: ["192.0.2.1"],
      externalName: "a.b",
      loadBalancerIP: "2001:DB8::1",
      sessionAffinity: "ClientIP",
    }),
  },

  // Changes.
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

  // The status, as a service controller writes it.
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

const missing = missingRealCluster();

describe.skipIf(missing !== undefined)("services, as a real API server treats them", () => {
  let real: RealCluster;
  let sandbox: TestCluster;
  let realClient: ApiClient;

  beforeAll(async () => {
    real = startRealCluster();
    realClient = new ApiClient(real.access);
    sandbox = await startTestCluster({ rbac: true });
  });
  afterAll(async () => {
    await realClient.close();
    await sandbox.discard();
    real.discard();
  });

  it.each([
    ["/api/v1", ["services", "endpoints", "persistentvolumes", "persistentvolumeclaims"]],
    ["/apis/discovery.k8s.io/v1", ["endpointslices"]],
    ["/apis/storage.k8s.io/v1", ["storageclasses"]],
  ])("says the same of what %s holds", async (path, plurals) => {
    const [expected, told] = await Promise.all(
      [realClient, sandbox.client].map((client) => discovered(client, path, plurals)),
    );
    expect(told).toEqual(expected);
    expect(told?.length).toBeGreaterThanOrEqual(plurals.length);
  });

  it("keeps the API server's own service as that server does", async () => {
    const [expected, told] = await Promise.all(
      [realClient, sandbox.client].map((client) =>
        client.json<{ spec: { ports: object[] } }>("GET", `${SERVICES}/kubernetes`),
      ),
    );
    const [port] = expected?.spec.ports ?? [];
    const { targetPort: _own, ...fixed } = { targetPort: 0, ...port };
    expect(told).toMatchObject({ spec: { ...expected?.spec, ports: [fixed] } });
  });

  it.each(STEPS)("$does", async (step) => {
    const expected = await verdict(realClient, step);
    expect(await verdict(sandbox.client, step)).toEqual(expected);
  });
});

interface Discovered {
  readonly name: string;
  readonly storageVersionHash?: string;
}

/** What discovery lists of the resources, without what the sandbox has no use for: proxies and hashes of upstream's storage. */
async function discovered(client: ApiClient, path: string, plurals: readonly string[]) {
  const { resources } = await client.json<{ resources: Discovered[] }>("GET", path);
  return resources
    .filter(({ name }) => plurals.includes(name.split("/")[0] ?? "") && !name.endsWith("/proxy"))
    .map(({ storageVersionHash: _hash, ...resource }) => resource);
}
