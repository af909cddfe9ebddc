import { describe, expect, it } from "vitest";
import { FINALIZER } from "./service-object.ts";
import { ServiceWorld, service } from "./testing/service-fixture.ts";

describe("a Service of type LoadBalancer", () => {
  it("gets its finalizer, its balancer and its address, by one look at the cloud (S-01)", async () => {
    const world = await new ServiceWorld().settle();
    world.services.put(service());
    await world.settle();
    const { calls, patches, events } = world.take();
    expect(patches).toEqual(["web finalizer+", "web status"]);
    expect(calls).toEqual(["GET web", "POST web"]);
    expect(events).toEqual(["shop/web EnsuringLoadBalancer", "shop/web EnsuredLoadBalancer"]);
    const made = world.services.get("shop/web");
    expect(made?.metadata?.finalizers).toEqual([FINALIZER]);
    expect(made?.status?.loadBalancer?.ingress).toEqual([{ ip: "9.9.9.9", ipMode: "VIP" }]);
    expect(world.last()).toMatchObject({ outcome: "changed", state: "ok" });
    await world.stop();
  });
});
