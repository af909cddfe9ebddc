import { describe, expect, it } from "vitest";
import type { Service } from "../../../kube/client.ts";
import { CLASS_ANNOTATION, FINALIZER } from "../service-object.ts";
import { type ServiceShape, service } from "../testing/service-fixture.ts";
import { changedFields, OTHER_ANNOTATIONS } from "./triggers.ts";

type Spec = NonNullable<ServiceShape["spec"]>;

const READS = { annotationPrefixes: ["p.example/"] };

function between(old: Service, now: Service): readonly string[] {
  return changedFields(old, now, READS);
}

function port(shape: object): Spec {
  return { ports: [{ port: 80, protocol: "TCP", nodePort: 31_080, targetPort: 80, ...shape }] };
}

const OTHER = { port: 443, protocol: "TCP", nodePort: 31_443, targetPort: 443 };
const [FIRST] = port({}).ports ?? [];
if (FIRST === undefined) throw new Error("no port");

describe("what a load balancer depends on (spec/30 §3)", () => {
  it.each<[string, Spec, string]>([
    ["type", { type: "NodePort" }, "type"],
    ["class", { loadBalancerClass: "x/y" }, "loadBalancerClass"],
    ["source ranges", { loadBalancerSourceRanges: ["10.0.0.0/8"] }, "loadBalancerSourceRanges"],
    [
      "source ranges, to an empty list",
      { loadBalancerSourceRanges: [] },
      "loadBalancerSourceRanges",
    ],
    ["port number (S-32)", port({ port: 81 }), "ports"],
    ["port name (S-33)", port({ name: "http" }), "ports"],
    ["protocol (S-34)", port({ protocol: "UDP" }), "ports"],
    ["node port (S-35)", port({ nodePort: 31_081 }), "ports"],
    ["target port (S-36)", port({ targetPort: "http" }), "ports"],
    ["appProtocol (S-37)", port({ appProtocol: "http" }), "ports"],
    ["number of ports", { ports: [FIRST, OTHER] }, "ports"],
    ["affinity (S-38)", { sessionAffinity: "ClientIP" }, "sessionAffinity"],
    [
      "affinity's time (S-39)",
      { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
      "sessionAffinity",
    ],
    ["loadBalancerIP (S-40)", { loadBalancerIP: "1.2.3.4" }, "loadBalancerIP"],
    ["externalIPs (S-42)", { externalIPs: ["1.2.3.4"] }, "externalIPs"],
    ["traffic policy (S-43)", { externalTrafficPolicy: "Local" }, "externalTrafficPolicy"],
    ["health check port", { healthCheckNodePort: 32_000 }, "healthCheckNodePort"],
    ["number of families (S-45)", { ipFamilies: ["IPv4", "IPv6"] }, "ipFamilies"],
  ])("%s", (_, spec, field) => {
    expect(between(service(), service({ spec }))).toEqual([field]);
    expect(between(service({ spec }), service())).toEqual([field]);
  });

  it("the order of ports (S-47)", () => {
    const one = service({ spec: { ports: [FIRST, OTHER] } });
    const other = service({ spec: { ports: [OTHER, FIRST] } });
    expect(between(one, other)).toEqual(["ports"]);
  });

  it("that it was recreated", () => {
    expect(between(service(), service({ uid: "uid-2" }))).toEqual(["created anew"]);
  });

  it("its deletion", () => {
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    expect(between(service(), service({ deletionTimestamp }))).toEqual(["deletion"]);
  });

  it("that somebody removed its finalizer, not that we added it (SW-16)", () => {
    const with_ = service({ finalizers: [FINALIZER] });
    expect(between(with_, service())).toEqual(["finalizers"]);
    expect(between(service(), with_)).toEqual([]);
  });

  it("that somebody added the finalizer to one of another type", () => {
    const spec: Spec = { type: "ClusterIP" };
    const finalizers = ["x/y", FINALIZER];
    expect(between(service({ spec }), service({ spec, finalizers }))).toEqual(["finalizers"]);
  });

  it.each<[string, Record<string, string>, readonly string[]]>([
    ["an annotation of the provider's", { "p.example/a": "b" }, ["annotations"]],
    ["a hold", { "cloudwright.io/hold": "x" }, ["annotations"]],
    [
      "source ranges by annotation",
      { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8" },
      ["annotations"],
    ],
    ["the class that goes with the finalizer", { [CLASS_ANNOTATION]: "x/y" }, [OTHER_ANNOTATIONS]],
    ["another's annotation (SW-15)", { "argocd.example/stamp": "1" }, [OTHER_ANNOTATIONS]],
    ["both", { "p.example/a": "b", x: "y" }, ["annotations", OTHER_ANNOTATIONS]],
  ])("%s", (_, annotations, expected) => {
    expect(between(service(), service({ annotations }))).toEqual(expected);
    expect(between(service({ annotations }), service())).toEqual(expected);
  });
});

describe("what no load balancer depends on", () => {
  it.each<[string, Spec]>([
    ["the selector", { selector: { a: "b" } }],
    ["internalTrafficPolicy", { internalTrafficPolicy: "Local" }],
    ["publishNotReadyAddresses", { publishNotReadyAddresses: true }],
    ["cluster IPs", { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"] }],
    ["ipFamilyPolicy", { ipFamilyPolicy: "PreferDualStack" }],
    ["the order of families", { ipFamilies: ["IPv6"] }],
    ["trafficDistribution", { trafficDistribution: "PreferClose" }],
  ])("%s (S-46)", (_, spec) => {
    expect(between(service(), service({ spec }))).toEqual([]);
  });

  it("labels and status", () => {
    const one = service();
    const labelled = { ...one, metadata: { ...one.metadata, labels: { a: "b" } } };
    expect(between(one, labelled)).toEqual([]);
    expect(between(one, service({ ingress: [{ ip: "1.2.3.4" }] }))).toEqual([]);
  });
});

it("node ports that are no longer requested matter only to a provider that reaches pods", () => {
  const old = service();
  const now = service({ spec: { allocateLoadBalancerNodePorts: false } });
  expect(changedFields(old, now, READS)).toEqual([]);
  expect(changedFields(old, now, { ...READS, podTargets: true })).toEqual([
    "allocateLoadBalancerNodePorts",
  ]);
});
