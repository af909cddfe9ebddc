import { expect, it } from "vitest";
import { FINALIZER } from "./service-object.ts";
import { fixture } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, service } from "./testing/service-fixture.ts";

const STANDS = { id: "lb-x", name: "by-hand", addresses: ["9.9.9.9"] };
const INGRESS = [{ ip: "9.9.9.9" }];

it("a Service keeps its finalizer while its published load balancer exists, and goes once that is gone", async () => {
  const deleted = { deletionTimestamp: "2026-01-02T00:00:00Z", finalizers: [FINALIZER] };
  const made = await fixture({
    services: [service({ ...deleted, ingress: INGRESS })],
    prepare: ({ stands }) => void stands.set("web", STANDS),
  });
  expect(made.last()).toMatchObject({
    outcome: "blocked",
    state: "stuck",
    reason: { code: "BalancerStands", id: "lb-x", proofs: ["address"] },
  });
  expect(made.take().events.filter((event) => event.includes("Deleted"))).toEqual([]);
  made.balancers.stands.clear();
  await made.settle(DRIFT_PERIOD_MS);
  expect(made.services.get("shop/web")).toBeUndefined();
  expect(made.take().events).toEqual(["shop/web DeletedLoadBalancer"]);
});

it("no success is announced for a Service that was deleted without its finalizer and left a load balancer without an owner", async () => {
  const made = await fixture();
  made.services.put(service({ ingress: INGRESS }));
  await made.settle();
  made.balancers.cloud.clear();
  made.balancers.stands.set("web", STANDS);
  made.take();
  made.services.remove("shop/web");
  await made.settle();
  const { events } = made.take();
  expect(events.filter((event) => event.includes("DeletedLoadBalancer"))).toEqual([]);
  expect(events.at(-1)).toMatch(/^shop\/web DeleteLoadBalancerFailed: .*lb-x/);
});
