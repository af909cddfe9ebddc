import { create, toBinary } from "@bufbuild/protobuf";
import type { LoadBalancerMember, LoadBalancerSpec } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { SourceObject } from "../connection.ts";
import {
  LoadBalancerSpecSchema,
  ObjectKind,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import type { RefOf } from "../object-sync.ts";
import { NO_OBJECTS, specMessage } from "./requests.ts";

const MEMBERS: readonly LoadBalancerMember[] = Array.from({ length: 5_000 }, (_, index) => ({
  nodeName: `ip-10-10-${Math.floor(index / 250)}-${index % 250}.eu-central-1.compute.internal`,
  providerID: `aws:///eu-central-1a/i-${index.toString(16).padStart(17, "0")}`,
  addresses: [
    { type: "InternalIP", address: `10.10.${Math.floor(index / 250)}.${index % 250}` },
    { type: "InternalDNS", address: `ip-${index}.eu-central-1.compute.internal` },
  ],
  labels: { "topology.kubernetes.io/zone": "eu-central-1a" },
}));

const SPEC: LoadBalancerSpec = {
  owner: { clusterUid: "c", objectUid: "s", namespace: "shop", name: "web", clusterName: "lab" },
  annotations: {},
  internal: false,
  listeners: [],
  members: MEMBERS,
  sourceRanges: ["0.0.0.0/0"],
  healthCheck: { protocol: "TCP", port: 30_080 },
  affinity: { kind: "none" },
  families: ["IPv4"],
};

const NODES = MEMBERS.map(({ nodeName }, index): SourceObject => {
  const uid = `6d2f1c1e-8a54-4c9b-9c38-${index.toString(16).padStart(12, "0")}`;
  return {
    ...{ kind: "Node", uid, resourceVersion: `${1_000_000 + index}`, namespace: "" },
    ...{ name: nodeName, json: () => "{}" },
  };
});

const refOf: RefOf = (object) =>
  object && { kind: ObjectKind.NODE, uid: object.uid, resourceVersion: object.resourceVersion };

describe("a member", () => {
  it("consists of its Node's name and reference if the provider has the Node", () => {
    const { members } = specMessage(SPEC, { service: undefined, nodes: NODES }, refOf);
    const [first] = MEMBERS;
    expect(members?.[0]).toEqual({ nodeName: first?.nodeName, node: refOf(NODES[0]) });
  });

  it("contains everything known about it otherwise", () => {
    const { members } = specMessage(SPEC, NO_OBJECTS, refOf);
    const { providerID: providerId, ...rest } = MEMBERS[0] ?? {};
    expect(members?.[0]).toEqual({ ...rest, providerId });
  });

  it("takes little more space than its names if 5,000 of them are sent with each call", () => {
    const sizeOf = (nodes: readonly SourceObject[]) => {
      const message = specMessage(SPEC, { service: undefined, nodes }, refOf);
      return toBinary(LoadBalancerSpecSchema, create(LoadBalancerSpecSchema, message)).byteLength;
    };
    const names = NODES.reduce((sum, { name, uid }) => sum + name.length + uid.length, 0);
    expect(sizeOf(NODES)).toBeLessThan(1.25 * names);
    expect(sizeOf(NODES)).toBeLessThan(0.5 * sizeOf([]));
  });
});
