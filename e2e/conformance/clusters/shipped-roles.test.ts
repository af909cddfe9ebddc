import { expect, it } from "vitest";
import { type NamedRight, namedRight, rulesWithout } from "./shipped-roles.ts";

const NODES = { apiGroups: [""], resources: ["nodes"], verbs: ["list", "watch"] };
const LEASES = { resources: ["leases"], resourceNames: ["a", "b"], verbs: ["get", "update"] };

it.each<[string, NamedRight | undefined]>([
  ["patch nodes/status", { verb: "patch", resource: "nodes/status" }],
  ["get leases", { verb: "get", resource: "leases" }],
  [
    "get leases/cloudwright-shadow",
    { verb: "get", resource: "leases", name: "cloudwright-shadow" },
  ],
  ["create leases/cloudwright-shadow", undefined],
  ["get leases/somebody-elses", undefined],
  ["patch secrets", undefined],
  ["nodes", undefined],
])("%j is the shipped right %j", (text, right) => {
  expect(namedRight(text)).toEqual(right);
});

it.each<[NamedRight, readonly object[]]>([
  [{ verb: "watch", resource: "nodes" }, [{ ...NODES, verbs: ["list"] }, LEASES]],
  [{ verb: "get", resource: "leases" }, [NODES, { ...LEASES, verbs: ["update"] }]],
  [
    { verb: "get", resource: "leases", name: "a" },
    [NODES, { ...LEASES, verbs: ["update"] }, { ...LEASES, verbs: ["get"], resourceNames: ["b"] }],
  ],
  [{ verb: "get", resource: "leases", name: "c" }, [NODES, LEASES]],
  [{ verb: "patch", resource: "nodes" }, [NODES, LEASES]],
])("without %j a role keeps all the rest", (right, left) => {
  expect(rulesWithout({ metadata: { name: "role" }, rules: [NODES, LEASES] }, right)).toEqual(left);
});

it("a rule of one object and one verb is gone without them", () => {
  const rules = [{ ...LEASES, resourceNames: ["a"], verbs: ["get"] }];
  const right = { verb: "get", resource: "leases", name: "a" };
  expect(rulesWithout({ metadata: { name: "role" }, rules }, right)).toEqual([]);
});
