import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Provider, wrapEnsureStyle } from "@cloudwright/provider-api";
import {
  instancesCases,
  loadBalancerCases,
  recordedContexts,
  routeCases,
  volumeCases,
} from "@cloudwright/provider-api/kit";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryInstances } from "../../../provider-api/src/testing/memory-instances.ts";
import { MemoryLoadBalancers } from "../../../provider-api/src/testing/memory-load-balancers.ts";
import { MemoryRoutes } from "../../../provider-api/src/testing/memory-routes.ts";
import { MemoryVolumes } from "../../../provider-api/src/testing/memory-volumes.ts";
import {
  type CapabilitiesSchema,
  LoadBalancerStyle,
} from "./generated/cloudwright/provider/v1/provider_pb.js";
import { createGrpcProvider } from "./grpc-provider.ts";
import { CONFIG, HELD, TestObjects, TestSource } from "./testing/connected.ts";
import { startContractServer } from "./testing/contract-server.ts";
import { handlersOf, type Served } from "./testing/served-provider.ts";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Returns the provider as seen through a process that runs it. */
async function bridged(
  served: Served,
  capabilities: MessageInitShape<typeof CapabilitiesSchema>,
): Promise<Provider> {
  const server = await startContractServer({ handlers: handlersOf(served, capabilities) });
  const source = new TestSource();
  await source.use(server);
  ends.push(async () => {
    await source.use(undefined);
    await server.kill();
  });
  return await createGrpcProvider({
    ...{ source, config: CONFIG, objects: new TestObjects(), fence: HELD },
    signal: new AbortController().signal,
  });
}

function here<T>(capability: T | undefined): T {
  if (capability === undefined) throw new Error("the capability is not announced");
  return capability;
}

/** Returns the kit's cases that such a fixture can play. */
function playable<Fixture>(
  cases: readonly {
    readonly name: string;
    unmet(fixture: Fixture): readonly string[];
    run(fixture: Fixture): Promise<void>;
  }[],
  fixture: Fixture,
) {
  return cases.filter((one) => one.unmet(fixture).length === 0);
}

const LOAD_BALANCERS = {
  protocols: ["TCP"],
  families: ["IPv4", "IPv6"],
  sourceRanges: true,
  storesOwner: true,
};

describe("instances of a process", () => {
  it.each(playable(instancesCases, new MemoryInstances().fixture()))("$name", async (one) => {
    const fixture = new MemoryInstances().fixture();
    const { instances } = await bridged(fixture, { instances: { byName: true } });
    await one.run({ ...fixture, instances: here(instances) });
  });
});

describe("routes of a process", () => {
  it.each(playable(routeCases, new MemoryRoutes().fixture()))("$name", async (one) => {
    const cloud = new MemoryRoutes();
    const routes = { families: ["IPv4", "IPv6"], storesOwner: true };
    const provider = await bridged({ routes: cloud }, { routes });
    await one.run({ ...cloud.fixture(), routes: here(provider.routes) });
  });
});

describe("volumes of a process", () => {
  it.each(playable(volumeCases, new MemoryVolumes().fixture()))("$name", async (one) => {
    const cloud = new MemoryVolumes();
    const sources = [{ key: "memoryDisk", idField: "diskID" }];
    const { volumes } = await bridged({ volumes: cloud }, { volumes: { sources, grows: true } });
    const specOf = (diskID: string) => ({ memoryDisk: { diskID } });
    await one.run({ ...cloud.fixture(), volumes: here(volumes), specOf });
  });
});

describe.each([
  ["in the style of upstream's interface", LoadBalancerStyle.ENSURE],
  ["in the declarative style", LoadBalancerStyle.DECLARATIVE],
])("load balancers of a process %s", (_name, style) => {
  const cases = playable(loadBalancerCases, new MemoryLoadBalancers().fixture());

  it.each(cases)("$name", async (one) => {
    const cloud = new MemoryLoadBalancers();
    const isDeclared = style === LoadBalancerStyle.DECLARATIVE;
    const served = isDeclared ? { declared: wrapEnsureStyle(cloud) } : { ensured: cloud };
    const provider = await bridged(served, { loadBalancers: { ...LOAD_BALANCERS, style } });
    await one.run({ ...cloud.fixture(), loadBalancers: here(provider.loadBalancers) });
  });

  it("report how many of their changes may be in progress at the same time", async () => {
    const cloud = new MemoryLoadBalancers();
    const isEnsured = style === LoadBalancerStyle.ENSURE;
    const served = isEnsured ? { ensured: cloud } : { declared: wrapEnsureStyle(cloud) };
    const provider = await bridged(served, { loadBalancers: { ...LOAD_BALANCERS, style } });
    expect(here(provider.loadBalancers).abilities.changesAtOnce).toBe(isEnsured ? 1 : undefined);
  });
});

/** A cloud in which everything takes time, such as waiting until a load balancer's dependents are deleted. */
class SlowLoadBalancers extends MemoryLoadBalancers {
  override async get(...args: Parameters<MemoryLoadBalancers["get"]>) {
    await this.#slowly();
    return await super.get(...args);
  }

  override async remove(...args: Parameters<MemoryLoadBalancers["remove"]>) {
    await this.#slowly();
    await super.remove(...args);
  }

  async #slowly(): Promise<void> {
    await new Promise((done) => setTimeout(done, 4 * SHORT_MS));
  }
}

const SHORT_MS = 100;

describe("a change in the style of upstream's interface", () => {
  it("has as much time as upstream's manager gives it, although a read is given up long before", async () => {
    const cloud = new SlowLoadBalancers();
    const loadBalancers = { ...LOAD_BALANCERS, style: LoadBalancerStyle.ENSURE };
    const provider = await bridged(
      { ensured: cloud },
      { loadBalancers, answerTimeoutMs: SHORT_MS },
    );
    const { abilities, observe, plan, apply } = here(provider.loadBalancers);
    expect(abilities.changeTimeoutMs).toBe(660_000);
    const cluster = { clusterUid: "c-1", clusterName: "lab" };
    const owner = { ...cluster, objectUid: "u-1", namespace: "shop", name: "web" };
    const contexts = recordedContexts({ provider: "memory" });
    const seen = await observe([owner], contexts.context());
    expect(seen.get("u-1")).toMatchObject({ kind: "failed", error: { code: "TimedOut" } });
    const observed = { status: { ingress: [{ ip: "192.0.2.1" }] } };
    const published = { ingress: [] };
    const { changes } = await plan({ owner, spec: undefined, observed, published } as never);
    for (const change of changes) await apply(change, contexts.context());
    // The calls that the process reports are in its answer, which has arrived.
    expect(contexts.calls.filter(({ mutates }) => mutates)).toMatchObject([
      { operation: "delete" },
    ]);
  });
});
