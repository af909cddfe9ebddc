import { describe, expect, it } from "vitest";
import { isCovered, missingRights, type ReviewedRule, type Right } from "./review-rights.ts";

const PATCH_STATUS: Right = right({ verb: "patch", resource: "nodes/status" });
const GET_LEASE: Right = right({
  verb: "get",
  group: "coordination.k8s.io",
  resource: "leases",
  namespace: "kube-system",
  name: "cloud-controller-manager",
});

interface Row {
  readonly what: string;
  readonly rule: Partial<ReviewedRule>;
  readonly wanted?: Right;
  readonly grants: boolean;
}

describe("whether a rule grants a right", () => {
  it.each<Row>([
    { what: "its very words", rule: { resources: ["nodes/status"] }, grants: true },
    { what: "every verb", rule: { verbs: ["*"], resources: ["nodes/status"] }, grants: true },
    { what: "every resource", rule: { resources: ["*"] }, grants: true },
    { what: "that subresource of all", rule: { resources: ["*/status"] }, grants: true },
    { what: "the resource without its subresource", rule: { resources: ["nodes"] }, grants: false },
    {
      what: "another verb",
      rule: { verbs: ["update"], resources: ["nodes/status"] },
      grants: false,
    },
    {
      what: "another group",
      rule: { apiGroups: ["apps"], resources: ["nodes/status"] },
      grants: false,
    },
    {
      what: "one name alone, where all are needed",
      rule: { resources: ["nodes/status"], resourceNames: ["w-1"] },
      grants: false,
    },
    {
      what: "that name",
      rule: { resources: ["leases"], resourceNames: ["cloud-controller-manager"] },
      wanted: GET_LEASE,
      grants: true,
    },
    {
      what: "another name",
      rule: { apiGroups: ["*"], resources: ["leases"], resourceNames: ["other"] },
      wanted: GET_LEASE,
      grants: false,
    },
  ])("$what", ({ rule, wanted = PATCH_STATUS, grants }) => {
    const { verb, group } = wanted;
    const whole = { verbs: [verb], apiGroups: [group], resources: [], resourceNames: [] };
    expect(isCovered([{ ...whole, ...rule }], wanted)).toBe(grants);
  });
});

it("reviews rights separately if the rules do not show them, as these may be incomplete", async () => {
  const asked: unknown[] = [];
  const missing = await missingRights(
    {
      create: (_target, object) => {
        asked.push(object);
        const { spec } = object as unknown as { spec: { resourceAttributes?: { verb: string } } };
        const status =
          spec.resourceAttributes === undefined
            ? { resourceRules: [{ verbs: ["list"], apiGroups: [""], resources: ["nodes"] }] }
            : { allowed: spec.resourceAttributes.verb === "watch" };
        return Promise.resolve({ ...object, status });
      },
    },
    [
      right({ verb: "list", resource: "nodes" }),
      right({ verb: "watch", resource: "nodes" }),
      PATCH_STATUS,
    ],
  );
  expect(missing).toEqual([PATCH_STATUS]);
  expect(asked).toHaveLength(3);
  expect(asked[2]).toMatchObject({
    kind: "SelfSubjectAccessReview",
    spec: {
      resourceAttributes: { verb: "patch", group: "", resource: "nodes", subresource: "status" },
    },
  });
});

function right(fields: Partial<Right>): Right {
  return { verb: "", group: "", resource: "", without: "nothing works", ...fields };
}
