import type { LoadBalancerAbilities, LoadBalancerSpec } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { ownerOf } from "../service-object.ts";
import { ScriptedLoadBalancers } from "../testing/scripted-load-balancers.ts";
import { CLUSTER, type ServiceShape, service } from "../testing/service-fixture.ts";
import { desiredOf } from "./desired.ts";

type Spec = NonNullable<ServiceShape["spec"]>;

const ABILITIES = new ScriptedLoadBalancers().abilities;
const ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";

function desired(shape: ServiceShape, abilities: Partial<LoadBalancerAbilities> = {}) {
  const one = service(shape);
  return desiredOf(one, {
    owner: ownerOf(one, CLUSTER),
    members: [],
    abilities: { ...ABILITIES, ...abilities },
    provider: "p",
  });
}

function spec(shape: ServiceShape): LoadBalancerSpec {
  const found = desired(shape);
  if (found.kind === "refused") throw new Error(JSON.stringify(found.reason));
  return found.spec;
}

const UDP = { port: 53, protocol: "UDP", nodePort: 31_053, targetPort: 53 };
const TCP = { port: 53, protocol: "TCP", nodePort: 31_054, targetPort: 53 };

it("a plain Service asks for its ports, for everybody, checked on its first node port", () => {
  expect(spec({})).toEqual({
    owner: {
      ...{ clusterUid: "cluster-1", clusterName: "kubernetes" },
      ...{ objectUid: "uid-web", namespace: "shop", name: "web" },
    },
    internal: false,
    listeners: [{ name: "", protocol: "TCP", port: 80, nodePort: 31_080 }],
    members: [],
    families: ["IPv4"],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: 31_080 },
    affinity: { kind: "none" },
    annotations: {},
  });
});

describe("source ranges (S-62)", () => {
  it.each<[string, ServiceShape, readonly string[]]>([
    [
      "the field",
      { spec: { loadBalancerSourceRanges: ["10.1.0.0/8", "1.2.3.4/32"] } },
      ["1.2.3.4/32", "10.0.0.0/8"],
    ],
    [
      "the annotation",
      { annotations: { [ANNOTATION]: " 10.0.0.0/8 , 9.0.0.0/8" } },
      ["10.0.0.0/8", "9.0.0.0/8"],
    ],
    [
      "the field before the annotation",
      {
        spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] },
        annotations: { [ANNOTATION]: "9.0.0.0/8" },
      },
      ["10.0.0.0/8"],
    ],
    [
      "one range named twice",
      { spec: { loadBalancerSourceRanges: ["10.0.0.0/8", "10.9.9.9/8"] } },
      ["10.0.0.0/8"],
    ],
    [
      "one range in several spellings",
      { spec: { loadBalancerSourceRanges: ["10.0.0.0/8", "010.001.002.003/8", " 10.0.0.0/8 "] } },
      ["10.0.0.0/8"],
    ],
    [
      "IPv6, in several spellings",
      { spec: { loadBalancerSourceRanges: ["2001:DB8:0:0::1/32", "2001:0db8::/32"] } },
      ["2001:db8::/32"],
    ],
    [
      "IPv4 addresses written as IPv6",
      { spec: { loadBalancerSourceRanges: ["::ffff:1.2.3.4/128"] } },
      ["::ffff:102:304/128"],
    ],
    [
      "all of IPv4, whatever its base",
      { spec: { loadBalancerSourceRanges: ["9.9.9.9/0"] } },
      ["0.0.0.0/0"],
    ],
    [
      "nobody's word, in two families",
      { spec: { ipFamilies: ["IPv4", "IPv6"] } },
      ["0.0.0.0/0", "::/0"],
    ],
    ["an empty annotation", { annotations: { [ANNOTATION]: " " } }, ["0.0.0.0/0"]],
  ])("%s", (_, shape, ranges) => {
    expect(spec(shape).sourceRanges).toEqual(ranges);
  });

  it.each([
    [
      "10.0.0.1",
      "loadBalancerSourceRanges",
      { spec: { loadBalancerSourceRanges: ["10.0.0.0/8", "10.0.0.1"] } },
    ],
    ["*", `annotation ${ANNOTATION}`, { annotations: { [ANNOTATION]: "*" } }],
    ["10.0.0.0/33", `annotation ${ANNOTATION}`, { annotations: { [ANNOTATION]: "10.0.0.0/33" } }],
    ["10.0.0/8", `annotation ${ANNOTATION}`, { annotations: { [ANNOTATION]: "10.0.0/8" } }],
    [
      "fe80::1%eth0/64",
      `annotation ${ANNOTATION}`,
      { annotations: { [ANNOTATION]: "fe80::1%eth0/64" } },
    ],
    ["::/129", `annotation ${ANNOTATION}`, { annotations: { [ANNOTATION]: "::/129" } }],
    ["", `annotation ${ANNOTATION}`, { annotations: { [ANNOTATION]: "10.0.0.0/8," } }],
  ])("%j is reported as not being a range, with its field", (value, field, shape) => {
    expect(desired(shape)).toMatchObject({
      kind: "refused",
      reason: { code: "ServiceInvalid", field, value },
    });
  });
});

describe("the health check (S-61)", () => {
  it.each<[string, Spec, object]>([
    [
      "of a Local Service asks the nodes which of them have pods",
      { externalTrafficPolicy: "Local", healthCheckNodePort: 32_000 },
      { protocol: "HTTP", port: 32_000, path: "/healthz" },
    ],
    [
      "of a Local Service without its port is as of any other",
      { externalTrafficPolicy: "Local" },
      { protocol: "TCP", port: 31_080 },
    ],
    [
      "of a Cluster Service ignores that port",
      { healthCheckNodePort: 32_000 },
      { protocol: "TCP", port: 31_080 },
    ],
    ["asks a listener that answers", { ports: [UDP, TCP] }, { protocol: "TCP", port: 31_054 }],
    [
      "of a mere UDP Service has no better port",
      { ports: [UDP] },
      { protocol: "TCP", port: 31_053 },
    ],
  ])("%s", (_, shape, expected) => {
    expect(spec({ spec: shape }).healthCheck).toEqual(expected);
  });
});

it("affinity has the API's default time", () => {
  expect(spec({ spec: { sessionAffinity: "ClientIP" } }).affinity).toEqual({
    kind: "clientIP",
    timeoutSeconds: 10_800,
  });
  const sessionAffinityConfig = { clientIP: { timeoutSeconds: 5 } };
  expect(
    spec({ spec: { sessionAffinity: "ClientIP", sessionAffinityConfig } }).affinity,
  ).toMatchObject({ timeoutSeconds: 5 });
});

it("carries the requested address, and only the provider's own annotations", () => {
  const made = spec({
    spec: { loadBalancerIP: "1.2.3.4" },
    annotations: { "p.example/b": "2", "p.example/a": "1", other: "3" },
  });
  expect(made.requestedAddress).toBe("1.2.3.4");
  expect(JSON.stringify(made.annotations)).toBe('{"p.example/a":"1","p.example/b":"2"}');
});

it.each<[string, Spec, string]>([
  ["no address", { loadBalancerIP: "web.example" }, "it is not an IP address"],
  ["an address of one link", { loadBalancerIP: "fe80::1%eth0" }, "it is not an IP address"],
  [
    "an address of another family",
    { loadBalancerIP: "2001:db8::1" },
    "it is IPv6, and the Service has IPv4",
  ],
])("a request for %s is reported as wrong", (_, shape, problem) => {
  expect(desired({ spec: shape })).toMatchObject({
    kind: "refused",
    reason: {
      code: "ServiceInvalid",
      field: "loadBalancerIP",
      value: shape.loadBalancerIP,
      problem,
    },
  });
});

it("carries a request for an address of the second family, in canonical spelling", () => {
  const action: Spec = { ipFamilies: ["IPv4", "IPv6"], loadBalancerIP: "2001:DB8:0::0001" };
  expect(spec({ spec: action }).requestedAddress).toBe("2001:db8::1");
});

describe("a Service without node ports", () => {
  const shape = (targetPort?: number | string): ServiceShape => ({
    spec: {
      allocateLoadBalancerNodePorts: false,
      ports: [
        { port: 80, protocol: "TCP", ...(targetPort === undefined ? {} : { targetPort }) },
        { port: 53, protocol: "UDP", targetPort: "dns" },
      ],
    },
  });

  it.each([
    ["the number", 8_080, 8_080, 8_080],
    ["the name", "web", "web", 0],
    ["the port itself as the default", undefined, 80, 80],
  ])(
    "asks a provider that reaches pods for them, at %s of their port",
    (_, given, ...[targetPort, checked]) => {
      expect(desired(shape(given), { podTargets: true })).toMatchObject({
        kind: "spec",
        spec: {
          targets: "pods",
          listeners: [
            { port: 80, nodePort: 0, targetPort },
            { port: 53, nodePort: 0, targetPort: "dns" },
          ],
          healthCheck: { protocol: "TCP", port: checked },
        },
      });
    },
  );

  it("is refused with the cause if the provider does not reach pods", () => {
    expect(desired(shape())).toMatchObject({
      kind: "refused",
      reason: {
        code: "ServiceUnsupported",
        field: "port 80/TCP, 53/UDP",
        problem: expect.stringContaining("allocateLoadBalancerNodePorts"),
      },
    });
  });

  it("keeps its node ports if they are requested, although the provider could reach pods", () => {
    const found = desired({}, { podTargets: true });
    expect(found).toMatchObject({ spec: { listeners: [{ nodePort: 31_080 }] } });
    expect(JSON.stringify(found)).not.toContain("target");
  });
});

describe("what the cloud cannot do", () => {
  it.each<[string, Spec, Partial<LoadBalancerAbilities>, string]>([
    ["a protocol (S-07)", { ports: [{ ...TCP, protocol: "SCTP" }] }, {}, "port 53/SCTP"],
    ["mixed protocols", { ports: [UDP, TCP] }, { mixedProtocols: false }, "ports 53/UDP, 53/TCP"],
    ["a port without a node port", { ports: [{ port: 80, protocol: "TCP" }] }, {}, "port 80/TCP"],
    ["a family", { ipFamilies: ["IPv6"] }, { families: ["IPv4"] }, "ipFamilies IPv6"],
    [
      "a second family that is required",
      { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" },
      { families: ["IPv4"] },
      "ipFamilies IPv6",
    ],
    ["affinity", { sessionAffinity: "ClientIP" }, { affinity: false }, "sessionAffinity ClientIP"],
    [
      "source ranges",
      { loadBalancerSourceRanges: ["10.0.0.0/8"] },
      { sourceRanges: false },
      "source ranges",
    ],
    [
      "source ranges that are all of IPv6 alone, where there is IPv4",
      { loadBalancerSourceRanges: ["::/0"] },
      { sourceRanges: false },
      "source ranges",
    ],
    ["an address", { loadBalancerIP: "1.2.3.4" }, { requestedAddress: false }, "loadBalancerIP"],
  ])("%s is reported", (_, ...[shape, abilities, field]) => {
    expect(desired({ spec: shape }, abilities)).toMatchObject({
      kind: "refused",
      reason: { code: "ServiceUnsupported", provider: "p", field },
    });
  });

  it.each<[string, Spec, Partial<LoadBalancerAbilities>]>([
    [
      "a second family that is only preferred",
      { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "PreferDualStack" },
      { families: ["IPv4"] },
    ],
    ["everybody's range", { loadBalancerSourceRanges: ["0.0.0.0/0"] }, { sourceRanges: false }],
    ["nobody's word on ranges, for IPv6", { ipFamilies: ["IPv6"] }, { sourceRanges: false }],
    [
      "nobody's word on ranges, for both families",
      { ipFamilies: ["IPv4", "IPv6"] },
      { sourceRanges: false },
    ],
  ])("%s is omitted", (_, shape, abilities) => {
    expect(desired({ spec: shape }, abilities).kind).toBe("spec");
  });
});
