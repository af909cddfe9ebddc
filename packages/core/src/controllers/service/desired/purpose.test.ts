import { expect, test } from "vitest";
import { CLASS_ANNOTATION, FINALIZER } from "../service-object.ts";
import { type ServiceShape, service } from "../testing/service-fixture.ts";
import { isOfOurs, purposeOf, type ServedClasses } from "./purpose.ts";

const F: ServiceShape = { finalizers: [FINALIZER] };
const DELETED: ServiceShape = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const PLAIN: ServiceShape = { spec: { type: "ClusterIP" } };
const CLASSED: ServiceShape = { spec: { loadBalancerClass: "x/y" } };
const RECORDED: ServiceShape = { ...F, annotations: { [CLASS_ANNOTATION]: "x/y" } };
const CLASSLESS: ServedClasses = { classes: [], classless: true };
const OF_CLASS: ServedClasses = { classes: ["x/y"], classless: false };

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
  ["one that another class's controller has to clean up", { ...RECORDED, ...PLAIN }, "leave class"],
  ["the same, deleted", { ...RECORDED, ...PLAIN, ...DELETED }, "leave class"],
  ["one that has no class any more", RECORDED, "serve"],
])("%s", (_, shape, expected) => {
  expect(wordsOf(shape, CLASSLESS)).toBe(expected);
});

test.each<[string, ServiceShape, string]>([
  ["one without a class", {}, "leave class"],
  ["one without a class, deleted", { ...F, ...DELETED }, "leave class"],
  ["one that never had a class and lost its type", { ...F, ...PLAIN }, "leave class"],
  ["one of its class", CLASSED, "serve"],
  ["one of its class, deleted", { ...F, ...CLASSED, ...DELETED }, "remove deleted"],
  ["one of its class that lost its type", { ...RECORDED, ...PLAIN }, "remove type"],
])("for a controller that serves only one class: %s", (_, shape, expected) => {
  expect(wordsOf(shape, OF_CLASS)).toBe(expected);
});

function wordsOf(shape: ServiceShape, served: ServedClasses): string {
  const purpose = purposeOf(service(shape), { ...served, mayHaveLoadBalancer: false });
  return purpose.kind === "serve" ? purpose.kind : `${purpose.kind} ${purpose.why}`;
}

test.each<[string, ServiceShape, boolean]>([
  ["ours", { ...F, ...CLASSED }, true],
  ["another's by now", { ...RECORDED, ...CLASSED }, false],
  ["not there", CLASSED, false],
])(
  "a remaining load balancer of ours is removed, with the finalizer only if that is ours: %s",
  (_, shape, freesService) => {
    const purpose = purposeOf(service(shape), { ...CLASSLESS, mayHaveLoadBalancer: true });
    expect(purpose).toEqual({ kind: "remove", why: "class", freesService });
  },
);

test.each<[string, ServiceShape, string]>([
  ["is served", {}, "serve"],
  ["lost its finalizer and is deleted (SW-4)", DELETED, "remove"],
  ["lost its finalizer and its type", PLAIN, "remove"],
  ["got another class (SW-6)", CLASSED, "remove"],
])("one with a load balancer that %s", (_, shape, kind) => {
  expect(purposeOf(service(shape), { ...CLASSLESS, mayHaveLoadBalancer: true }).kind).toBe(kind);
});

test("a class is ours if it is named", () => {
  expect(purposeOf(service(CLASSED), { ...OF_CLASS, mayHaveLoadBalancer: false }).kind).toBe(
    "serve",
  );
  expect(isOfOurs(service(CLASSED), OF_CLASS)).toBe(true);
  expect(isOfOurs(service(CLASSED), { classes: ["x/z"], classless: true })).toBe(false);
  expect(isOfOurs(service(PLAIN), CLASSLESS)).toBe(false);
});
