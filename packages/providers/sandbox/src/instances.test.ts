import { afterEach, describe, expect, it, test } from "vitest";
import {
  byId,
  closers,
  cloudThat,
  goodCloud,
  idOf,
  instance,
  kindsOf,
  refs,
  refusal,
  single,
} from "./testing/instances-fixture.ts";
import { type ScriptedAnswer, testContext } from "./testing/scripted-cloud.ts";

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe("one instance", () => {
  it("is read by its ID in one call, with the request's id", async () => {
    const { lookup, requests } = await single(goodCloud(3));
    expect(requests).toEqual([`/v1/instances/${idOf(1)}`]);
    expect(lookup).toMatchObject({
      kind: "found",
      requestId: "req-1",
      facts: {
        providerID: `sandbox://${idOf(1)}`,
        name: "n1",
        type: "m1",
        zone: "z1",
        region: "r1",
        power: "running",
      },
    });
  });

  it("is read by its name in one call", async () => {
    const { lookup, requests } = await single(goodCloud(3), {
      nodeName: "n2",
      providerID: undefined,
    });
    expect(requests).toEqual(["/v1/instances?limit=500&name=n2"]);
    expect(lookup).toMatchObject({ kind: "found", facts: { name: "n2" } });
  });

  it("missing from the filtered listing of a batch is still read alone", async () => {
    const { instances } = await cloudThat(goodCloud(3, { missing: [1] }));
    const answers = await instances.describe([byId(1)], { mode: "batch" }, testContext());
    expect(kindsOf(answers)).toEqual({ absent: 1 });
  });

  test.each([
    ["running", "running"],
    ["pending", "pending"],
    ["stopping", "stopped"],
    ["stopped", "stopped"],
  ])("that is %s counts as %s", async (state, power) => {
    const { lookup } = await single(() => ({ body: instance(1, { state }) }));
    expect(lookup).toMatchObject({ facts: { power } });
  });

  test.each([
    ["p://other", "p://other"],
    ["", undefined],
  ])("whose provider ID is overridden by '%s' says so", async (providerId, providerID) => {
    const { lookup } = await single(() => ({ body: instance(1, { providerId }) }));
    expect(lookup.kind === "found" && lookup.facts.providerID).toBe(providerID);
  });

  it("that is not managed is unclaimed", async () => {
    expect((await single(() => ({ body: instance(1, { managed: false }) }))).lookup).toEqual({
      kind: "unclaimed",
    });
  });

  it("with a custom provider ID is found by the node's name", async () => {
    const custom = "sandbox://rack-7";
    const answer = (url: URL) =>
      url.pathname === "/v1/instances"
        ? { body: { items: [instance(1, { providerId: custom })], next: null } }
        : refusal(404, "not_found");
    const { lookup } = await single(answer, { nodeName: "n1", providerID: custom });
    expect(lookup).toMatchObject({ kind: "found", facts: { providerID: custom } });
    const other = await single(answer, { nodeName: "n1", providerID: "sandbox://rack-8" });
    expect(other.lookup).toMatchObject({ kind: "absent", proof: { by: "providerID" } });
  });

  it("cannot be told apart from another one with the same name", async () => {
    const items = [instance(1, { name: "n1" }), instance(2, { name: "n1" })];
    const { lookup } = await single(() => ({ body: { items, next: null } }), {
      nodeName: "n1",
      providerID: undefined,
    });
    expect(lookup).toMatchObject({ kind: "failed", error: { code: "Invalid" } });
  });
});

describe("absence", () => {
  it("is proven by the cloud's own not_found and a listing right after it", async () => {
    const { lookup, requests } = await single(goodCloud(3, { missing: [1] }));
    expect(requests).toEqual([`/v1/instances/${idOf(1)}`, "/v1/instances?limit=1"]);
    expect(lookup).toMatchObject({
      kind: "absent",
      proof: { by: "providerID", cloudShowsOthers: true, requestId: "req-1" },
    });
  });

  it("reports if the cloud shows no instances at all", async () => {
    expect((await single(goodCloud(0))).lookup).toMatchObject({
      kind: "absent",
      proof: { cloudShowsOthers: false },
    });
  });

  it("of a name is an empty listing for that name", async () => {
    const { lookup } = await single(goodCloud(3), { nodeName: "n9", providerID: undefined });
    expect(lookup).toMatchObject({ kind: "absent", proof: { by: "name", cloudShowsOthers: true } });
  });

  test.each<[string, (url: URL) => ScriptedAnswer]>([
    ["answers 404 to everything", () => refusal(404, "not_found")],
    ["answers 404 without its own code", () => ({ status: 404, text: "<h1>Not Found</h1>" })],
    [
      "answers the control read with nonsense",
      (url) => (url.pathname === "/v1/instances" ? { text: "{}" } : refusal(404, "not_found")),
    ],
    ["refuses us", () => refusal(403, "forbidden")],
    ["is down", () => refusal(503, "unavailable")],
    ["hangs up", () => ({ drop: true })],
  ])("is not concluded from a cloud that %s", async (_case, answer) => {
    expect((await single(answer)).lookup.kind).toBe("failed");
  });
});

it("sends the token with every request, and each through its context", async () => {
  const { cloud, instances } = await cloudThat(goodCloud(3, { missing: [1] }));
  const context = testContext();
  await instances.describe([byId(1)], { mode: "single" }, context);
  expect(cloud.authorizations).toEqual(["Bearer t0ken-of-test", "Bearer t0ken-of-test"]);
  expect(context.calls).toEqual([
    { operation: "GET /v1/instances/{id}", target: idOf(1), mutates: false },
    { operation: "GET /v1/instances", target: "any", mutates: false },
  ]);
});

it("throws only when its signal aborts", async () => {
  const { instances } = await cloudThat(goodCloud(3));
  const aborted = AbortSignal.abort(new Error("stopped"));
  await expect(
    instances.describe(refs(3), { mode: "batch" }, testContext(aborted)),
  ).rejects.toThrow("stopped");
});
