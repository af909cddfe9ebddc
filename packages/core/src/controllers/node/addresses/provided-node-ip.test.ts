import type { NodeAddress } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { canonicalIP, namedAddresses, preferProvidedIPs } from "./provided-node-ip.ts";

/** Parses `Int 10.1.1.1, Ext 55.5.5.5, Host h`. */
function addresses(text: string): readonly NodeAddress[] {
  const types = { Int: "InternalIP", Ext: "ExternalIP", Host: "Hostname" } as const;
  return text.split(", ").flatMap((part) => {
    const [type, address] = part.split(" ");
    const known = Object.entries(types).find(([short]) => short === type)?.[1];
    return known === undefined || address === undefined ? [] : [{ type: known, address }];
  });
}

describe("the kubelet's IPs go first and displace others of their type (spec/10 §6)", () => {
  test.each([
    [
      "10.1.1.1",
      "Int 10.1.1.1, Int 10.2.2.2, Ext 55.5.5.5, Host h",
      "Int 10.1.1.1, Ext 55.5.5.5, Host h",
    ],
    ["55.5.5.5", "Int 10.1.1.1, Ext 55.5.5.5, Host h", "Ext 55.5.5.5, Int 10.1.1.1, Host h"],
    [
      "55.5.5.5",
      "Int 44.4.4.4, Ext 44.4.4.4, Int 55.5.5.5, Ext 55.5.5.5, Host h",
      "Int 55.5.5.5, Ext 55.5.5.5, Host h",
    ],
    ["fc01::5678", "Int 10.1.1.1, Int fc01:0:0:0:0:0:0:5678", "Int fc01:0:0:0:0:0:0:5678"],
    ["10.1.1.1,fc01::5678", "Int fc01::5678, Int 10.1.1.1", "Int 10.1.1.1, Int fc01::5678"],
    [
      "10.1.1.1,fc01::5678",
      "Int 10.1.1.1, Int 10.1.1.2, Int fc01::1234, Int fc01::5678",
      "Int 10.1.1.1, Int fc01::5678",
    ],
    [
      "10.1.1.1,fc01::5678",
      "Ext 55.5.5.5, Int fc01::5678, Int 10.1.1.1",
      "Int 10.1.1.1, Int fc01::5678, Ext 55.5.5.5",
    ],
    [
      "55.5.5.5,fc01::5678",
      "Int 10.1.1.1, Ext 55.5.5.5, Int fc01::5678, Ext 2001:db1::1",
      "Ext 55.5.5.5, Int fc01::5678",
    ],
    ["010.001.01.1", "Int 10.1.1.1", "Int 10.1.1.1"],
    ["10.1.1.1", "Host 10-1-1-1, Int 10.1.1.1", "Int 10.1.1.1, Host 10-1-1-1"],
  ])("%s of %s gives %s", (annotation, cloud, wanted) => {
    expect(preferProvidedIPs(annotation, addresses(cloud))).toMatchObject({
      kind: "addresses",
      addresses: addresses(wanted),
    });
  });

  test.each([
    ["invalid", "not an IP address", "nodeIPNoAddress"],
    ["", "not an IP address", "nodeIPNoAddress"],
    ["10.0.0.1, fd00::5", "not an IP address", "nodeIPNoAddress"],
    ["10.0.0.256", "not an IP address", "nodeIPNoAddress"],
    ["fe80::1%eth0", "not an IP address", "nodeIPNoAddress"],
    ["0.0.0.0", "an unspecified address", "nodeIPUnspecified"],
    ["::", "an unspecified address", "nodeIPUnspecified"],
    ["10.0.0.1,10.0.0.2", "two addresses of one family", "nodeIPOneFamily"],
    ["10.0.0.1,::ffff:10.0.0.2", "two addresses of one family", "nodeIPOneFamily"],
    ["10.0.0.1,fd00::5,fd00::6", "more than two addresses", "nodeIPTooMany"],
  ])("the annotation %s is refused", (annotation, problem, code) => {
    const cloud = addresses("Int 10.0.0.1, Int 10.0.0.2, Int fd00::5");
    expect(preferProvidedIPs(annotation, cloud)).toEqual({
      kind: "refused",
      reason: { code: "ProvidedNodeIPInvalid", annotation, problem, phrase: { code } },
    });
  });

  test.each([
    ["10.9.9.9", "10.9.9.9"],
    ["10.1.1.1,fc01::5678", "fc01::5678"],
  ])("the annotation %s names %s, which the cloud does not know", (annotation, wanted) => {
    expect(preferProvidedIPs(annotation, addresses("Int 10.1.1.1"))).toEqual({
      kind: "refused",
      reason: { code: "ProvidedNodeIPUnknown", wanted, cloudHas: ["10.1.1.1"] },
    });
  });

  it("leaves everything as it is without the annotation", () => {
    const cloud = addresses("Int 10.1.1.1, Int 10.2.2.2");
    expect(preferProvidedIPs(undefined, cloud)).toEqual({
      kind: "addresses",
      addresses: cloud,
      preferred: [],
    });
  });
});

test.each([
  ["fd00:0:0:0:0:0:0:5", "fd00::5"],
  ["FD00::0005", "fd00::5"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["n1.cloud", undefined],
])("%s is the IP %s", (text, ip) => {
  expect(canonicalIP(text)).toBe(ip);
});

describe("what an annotation that cannot be obeyed asks for", () => {
  test.each([
    ["192.0.2.9", "Int 10.1.1.1, Ext 55.5.5.5, Host h", "Int 192.0.2.9, Ext 55.5.5.5, Host h"],
    ["10.1.1.1,fd00::9", "Int 10.1.1.1, Int 10.2.2.2", "Int 10.1.1.1, Int fd00::9"],
    ["55.5.5.5,fd00::9", "Int 10.1.1.1, Ext 55.5.5.5", "Ext 55.5.5.5, Int fd00::9"],
    ["10.0.0.300", "Int 10.1.1.1, Host h", "Int 10.0.0.300, Host h"],
    ["", "Int 10.1.1.1, Host h", "Int 10.1.1.1, Host h"],
  ])("%j of %s is shown as %s", (annotation, cloud, wanted) => {
    expect(namedAddresses(annotation, addresses(cloud))).toEqual(addresses(wanted));
  });
});
