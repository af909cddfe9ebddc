import { expect, it } from "vitest";
import { served } from "./testing/open-fixtures.ts";
import { DRIFT_PERIOD_MS, service } from "./testing/service-fixture.ts";

const IGNORED = {
  type: "Warning",
  reason: "LoadBalancerSourceRangesIgnored",
  message: "This cloud lets everybody in.",
} as const;

it("a provider's notice about a Service becomes an Event once, and again only when it returns", async () => {
  const made = await served();
  const eventsAfter = async (notices: readonly (typeof IGNORED)[]) => {
    made.balancers.beside = { notices };
    await made.settle(DRIFT_PERIOD_MS);
    return made.take().events;
  };
  const event = `shop/web ${IGNORED.reason}`;
  expect(await eventsAfter([IGNORED])).toEqual([event]);
  expect(await eventsAfter([IGNORED])).toEqual([]);
  expect(await eventsAfter([])).toEqual([]);
  expect(await eventsAfter([IGNORED])).toEqual([event]);
});

it("a cloud that cannot be asked withdraws no notice", async () => {
  const made = await served();
  made.balancers.beside = { notices: [IGNORED] };
  await made.settle(DRIFT_PERIOD_MS);
  made.take();
  made.balancers.onCall = () => Promise.reject(new Error("the cloud is away"));
  await made.settle(DRIFT_PERIOD_MS);
  made.balancers.onCall = () => Promise.resolve();
  await made.settle(DRIFT_PERIOD_MS);
  expect(made.take().events.filter((event) => event.includes(IGNORED.reason))).toEqual([]);
});

it("annotations of a provider are written to the Service with the address, and corrected when they differ", async () => {
  const made = await served();
  const annotationsOf = () => made.services.get("shop/web")?.metadata?.annotations;
  made.balancers.beside = { annotations: { "p.example/id": "lb-1" } };
  await made.settle(DRIFT_PERIOD_MS);
  expect(annotationsOf()).toMatchObject({ "p.example/id": "lb-1", "example.org/some": "thing" });
  made.balancers.beside = { annotations: { "p.example/id": "lb-2" } };
  await made.settle(DRIFT_PERIOD_MS);
  expect(annotationsOf()).toMatchObject({ "p.example/id": "lb-2" });
});

it("an owner carries the annotations that the provider reads, and no others", async () => {
  const made = await served();
  made.services.put(service({ annotations: { "p.example/size": "big" } }));
  await made.settle();
  const [seen] = [...made.balancers.cloud.values()];
  expect(seen?.owner.annotations).toEqual({ "p.example/size": "big" });
});
