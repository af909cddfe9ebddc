import { expect, test } from "vitest";
import { isOfOurs, purposeOf } from "./purpose.ts";
import { FINALIZER } from "./service-object.ts";
import { type ServiceShape, service } from "./testing/service-fixture.ts";

const F: ServiceShape = { finalizers: [FINALIZER] };
const DELETED: ServiceShape = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const PLAIN: ServiceShape = { spec: { type: "ClusterIP" } };
const CLASSED: ServiceShape = { spec: { loadBalancerClass: "x/y" } };

test.each<[string, ServiceShape, string]>([
  ["a new one", {}, "serve"],
  ["one with the finalizer", F, "serve"],
  ["one that is deleted", { ...F, ...DELETED }, "remove deleted"],
  ["one that is deleted and lingers without it (SW-19)", DELETED, "leave deleted"],
  ["one of another type", PLAIN, "leave type"],
  ["one that changed its type", { ...F, ...PLAIN }, "remove type"],
  ["one that changed its type and is deleted", { ...F, ...PLAIN, ...DELETED }, "remove deleted"],
  ["one of another class", CLASSED, "leave class"],
  ["one of another class with the finalizer (SW-5)", { ...F, ...CLASSED }, "leave class"],
  ["one of another class, deleted", { ...F, ...CLASSED, ...DELETED }, "leave class"],
])("%s", (_, shape, expected) => {
  const { kind, ...rest } = purposeOf(service(shape), { classes: [], mayHaveBalancer: false });
  expect(["why" in rest ? `${kind} ${rest.why}` : kind]).toEqual([expected]);
});

test.each<[string, ServiceShape, string]>([
  ["is served", {}, "serve"],
  ["lost its finalizer and is deleted (SW-4)", DELETED, "remove"],
  ["lost its finalizer and its type", PLAIN, "remove"],
  ["got another class (SW-6)", CLASSED, "remove"],
])("one with a balancer that %s", (_, shape, kind) => {
  expect(purposeOf(service(shape), { classes: [], mayHaveBalancer: true }).kind).toBe(kind);
});

test("a class is ours when it is named", () => {
  expect(purposeOf(service(CLASSED), { classes: ["x/y"], mayHaveBalancer: false }).kind).toBe(
    "serve",
  );
  expect(isOfOurs(service(CLASSED), ["x/y"])).toBe(true);
  expect(isOfOurs(service(CLASSED), ["x/z"])).toBe(false);
  expect(isOfOurs(service(PLAIN), [])).toBe(false);
});
