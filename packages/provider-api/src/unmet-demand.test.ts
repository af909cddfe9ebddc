import { describe, expect, it } from "vitest";
import type {
  LoadBalancerAbilities,
  LoadBalancerListener,
  LoadBalancerSpec,
} from "./load-balancers.ts";
import { unmetDemand } from "./unmet-demand.ts";

const HTTP: LoadBalancerListener = { name: "http", protocol: "TCP", port: 80, nodePort: 30_080 };
const DNS: LoadBalancerListener = { name: "dns", protocol: "UDP", port: 53, nodePort: 30_053 };

const SPEC: LoadBalancerSpec = {
  owner: {
    clusterUid: "c-1",
    objectUid: "u-1",
    clusterName: "prod",
    namespace: "shop",
    name: "web",
  },
  internal: false,
  listeners: [HTTP],
  members: [],
  sourceRanges: ["0.0.0.0/0"],
  healthCheck: { protocol: "TCP", port: 30_080 },
  affinity: { kind: "none" },
  families: ["IPv4"],
  annotations: {},
};

/** A cloud with the fewest abilities possible. */
const PLAIN: LoadBalancerAbilities = {
  protocols: ["TCP", "UDP"],
  mixedProtocols: false,
  families: ["IPv4"],
  affinity: false,
  sourceRanges: false,
  requestedAddress: false,
  annotationPrefixes: [],
  ignoredFields: [],
};

describe("the first unmet demand of a Service", () => {
  it.each<[what: string, Partial<LoadBalancerSpec>, field: string, Partial<LoadBalancerAbilities>]>(
    [
      ["a protocol", { listeners: [DNS] }, "port 53/UDP", { protocols: ["TCP", "UDP"] }],
      [
        "two protocols on one address",
        { listeners: [HTTP, DNS] },
        "ports 80/TCP, 53/UDP",
        { mixedProtocols: true },
      ],
      [
        "a port without a node port",
        { listeners: [{ ...HTTP, nodePort: 0 }] },
        "port 80/TCP",
        { withoutNodePorts: true },
      ],
      [
        "a family",
        { families: ["IPv4", "IPv6"] },
        "ipFamilies IPv6",
        { families: ["IPv6", "IPv4"] },
      ],
      [
        "session affinity",
        { affinity: { kind: "clientIP", timeoutSeconds: 60 } },
        "sessionAffinity ClientIP",
        { affinity: true },
      ],
      ["source ranges", { sourceRanges: ["10.0.0.0/8"] }, "source ranges", { sourceRanges: true }],
      [
        "an address of its own",
        { requestedAddress: "203.0.113.7" },
        "loadBalancerIP",
        { requestedAddress: true },
      ],
    ],
  )(
    "is %s where it lacks the ability, and nothing where it has it",
    (...[_what, more, field, ability]) => {
      const lacking = Object.keys(ability).includes("protocols")
        ? { ...PLAIN, protocols: ["TCP"] as const }
        : PLAIN;
      const unmet = unmetDemand({ ...SPEC, ...more }, lacking);
      expect(unmet?.field).toBe(field);
      expect(unmet?.problem).toMatch(/^(?:it|one) .*[^.]$/);
      expect(unmetDemand({ ...SPEC, ...more }, { ...PLAIN, ...ability })).toBeUndefined();
    },
  );

  it("is undefined for a plain Service", () => {
    expect(unmetDemand(SPEC, PLAIN)).toBeUndefined();
  });

  it("is reported alone, so that a user corrects one after the other", () => {
    const both = { ...SPEC, requestedAddress: "203.0.113.7", families: ["IPv6"] as const };
    expect(unmetDemand(both, PLAIN)?.field).toBe("ipFamilies IPv6");
  });

  it("names what the cloud offers instead", () => {
    const spec = { ...SPEC, listeners: [{ ...HTTP, protocol: "SCTP" as const }] };
    expect(unmetDemand(spec, PLAIN)).toEqual({
      field: "port 80/SCTP",
      problem: "it offers TCP, UDP",
    });
  });
});

describe("a port without a node port", () => {
  const spec = { ...SPEC, listeners: [HTTP, { ...DNS, protocol: "TCP" as const, nodePort: 0 }] };

  it("is no unmet demand for a cloud that sends directly to the pods of such a Service", () => {
    const abilities = { ...PLAIN, podTargets: true };
    expect(unmetDemand({ ...spec, targets: "pods" }, abilities)).toBeUndefined();
    expect(unmetDemand(spec, abilities)?.field).toBe("port 53/TCP");
    expect(unmetDemand({ ...spec, targets: "pods" }, PLAIN)?.field).toBe("port 53/TCP");
  });
});

describe("source ranges that allow everybody need no ability", () => {
  it.each<[ranges: readonly string[], families: readonly ("IPv4" | "IPv6")[], isUnmet: boolean]>([
    [["0.0.0.0/0"], ["IPv4"], false],
    [["10.0.0.0/8", "0.0.0.0/0"], ["IPv4"], false],
    [["::/0"], ["IPv6"], false],
    [["::/0"], ["IPv4"], true],
    [["::/0"], ["IPv4", "IPv6"], true],
    [["10.0.0.0/8"], ["IPv4"], true],
    [["fd00::/8"], ["IPv6"], true],
  ])("%j for %j: unmet %s", (sourceRanges, families, isUnmet) => {
    const abilities = { ...PLAIN, families: ["IPv4", "IPv6"] as const };
    const unmet = unmetDemand({ ...SPEC, sourceRanges, families }, abilities);
    expect(unmet?.field === "source ranges").toBe(isUnmet);
  });
});
