import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../model/testing/manual-clock.ts";
import { FakeInformer, node } from "../../testing/node-fixture.ts";
import { INSTANCES, type TestLookup, testRun } from "../../testing/test-run.ts";
import { ClusterMembers } from "./cluster-members.ts";

const FOUND = { kind: "found", facts: { providerID: "p://i-1" } } as Lookup;

function members(...nodes: readonly ReturnType<typeof node>[]) {
  const clock = createManualClock();
  const informer = new FakeInformer(...nodes);
  const requested: string[] = [];
  let answer: () => Promise<Lookup> = () => Promise.resolve({ kind: "unclaimed" });
  const run = () =>
    testRun(({ ref }: TestLookup) => {
      requested.push(ref.nodeName);
      return answer();
    });
  const cluster = new ClusterMembers({ informer, provider: "p", clock, instances: INSTANCES });
  return {
    clock,
    informer,
    requested,
    run,
    cluster,
    answerWith: (given: () => Promise<Lookup>) => {
      answer = given;
    },
  };
}

describe("the nodes of all load balancers", () => {
  it("are one value for all Services until a relevant node change", async () => {
    const { cluster, informer, run } = members(node({ name: "n1", providerID: "p://n1" }));
    const before = await cluster.current(run());
    informer.put(node({ name: "n1", providerID: "p://n1", labels: { a: "b" } }));
    expect(await cluster.current(run())).toBe(before);
    informer.put(node({ name: "n1", providerID: "p://n1", ready: "False" }));
    expect((await cluster.current(run())).nodes).toMatchObject([{ why: "notReady" }]);
  });

  it("come with their current labels for a provider that chooses by them", () => {
    const labelled = (labels: Readonly<Record<string, string>>) =>
      node({ name: "n1", providerID: "p://n1", labels });
    const informer = new FakeInformer(labelled({ pool: "a" }));
    const cluster = new ClusterMembers({
      ...{ informer, provider: "p", clock: createManualClock(), instances: INSTANCES },
      readsLabels: true,
    });
    expect(cluster.known.members).toMatchObject([{ labels: { pool: "a" } }]);
    informer.put(labelled({ pool: "b" }));
    expect(cluster.known.members).toMatchObject([{ labels: { pool: "b" } }]);
  });

  it("are passed on with their current addresses", async () => {
    const at = (address: string) =>
      node({ name: "n1", providerID: "p://n1", addresses: [{ type: "InternalIP", address }] });
    const { cluster, informer, run } = members(at("10.0.0.6"));
    await cluster.current(run());
    informer.put(at("10.0.0.7"));
    expect((await cluster.current(run())).members).toMatchObject([
      { addresses: [{ address: "10.0.0.7" }] },
    ]);
  });

  it("without a provider ID are looked up once for all Services that come meanwhile", async () => {
    const { cluster, requested, run, answerWith } = members(node({ name: "n1" }));
    answerWith(() => Promise.resolve(FOUND));
    const sets = await Promise.all([1, 2, 3].map(() => cluster.current(run())));
    expect(requested).toEqual(["n1"]);
    expect(sets.map(({ members: known }) => known.length)).toEqual([1, 1, 1]);
  });

  it("that the cloud does not know are looked up again now and then", async () => {
    const { cluster, clock, requested, run } = members(node({ name: "n1" }));
    await cluster.current(run());
    await cluster.current(run());
    expect(requested).toEqual(["n1"]);
    await clock.advance(30_001);
    await cluster.current(run());
    expect(requested).toEqual(["n1", "n1"]);
  });

  it("about which the cloud gave no answer are looked up again soon", async () => {
    const { cluster, clock, requested, run, answerWith } = members(node({ name: "n1" }));
    const error = new ProviderError("Unavailable", "Down.", { provider: "p", operation: "GET" });
    answerWith(() => Promise.resolve({ kind: "failed", error }));
    await cluster.current(run());
    await cluster.current(run());
    expect(requested).toEqual(["n1"]);
    answerWith(() => Promise.resolve(FOUND));
    await clock.advance(5_001);
    expect((await cluster.current(run())).members).toHaveLength(1);
  });

  it("are passed on with their current addresses", async () => {
    const { cluster, informer, run } = members(node({ name: "n1", providerID: "p://n1" }));
    await cluster.current(run());
    const addresses = [{ type: "InternalIP", address: "10.9.9.9" }];
    informer.put(node({ name: "n1", providerID: "p://n1", addresses }));
    expect((await cluster.current(run())).members).toMatchObject([{ addresses }]);
  });

  it("are known to the others although the run that asked was aborted", async () => {
    const { cluster, run, answerWith } = members(node({ name: "n1" }));
    answerWith(() => Promise.reject(new Error("ended")));
    const first = cluster.current(run());
    const second = cluster.current(run());
    await expect(first).rejects.toThrow("ended");
    expect((await second).members).toEqual([]);
    answerWith(() => Promise.resolve(FOUND));
    expect((await cluster.current(run())).members).toHaveLength(1);
  });
});
