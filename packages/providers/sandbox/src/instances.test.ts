import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it, test } from "vitest";
import { createCloudClient } from "./cloud-client.ts";
import { createInstances } from "./instances.ts";
import { type ScriptedAnswer, startScriptedCloud, testContext } from "./testing/scripted-cloud.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function cloudThat(answer: (url: URL) => ScriptedAnswer) {
  const cloud = await startScriptedCloud(answer);
  const client = createCloudClient({ endpoint: cloud.endpoint, token: "t0ken-of-test" }, "test");
  closers.push(
    () => client.close(),
    () => cloud.close(),
  );
  return { cloud, instances: createInstances(client) };
}

function idOf(number: number): string {
  return `i-${number.toString(16).padStart(16, "0")}`;
}

function instance(number: number, more: object = {}) {
  return {
    id: idOf(number),
    name: `n${number}`,
    state: "running",
    type: "m1",
    region: "r1",
    zone: "z1",
    addresses: [{ type: "InternalIP", address: `10.0.0.${number}` }],
    labels: {},
    managed: true,
    ...more,
  };
}

function byId(number: number): InstanceRef {
  return { nodeName: `n${number}`, providerID: `sandbox://${idOf(number)}` };
}

function refs(count: number): readonly InstanceRef[] {
  return Array.from({ length: count }, (_, index) => byId(index + 1));
}

/** A cloud with instances 1 to `count`, without those that are missing; each read fails that names `bad` ones, or is refused for those. */
function goodCloud(
  count: number,
  {
    bad = [],
    missing = [],
    refused = [],
  }: Partial<Record<"bad" | "missing" | "refused", number[]>> = {},
) {
  const all = Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => !missing.includes(number),
  );
  const isNamed = (number: number, named: readonly string[]) =>
    named.includes(idOf(number)) || named.includes(`n${number}`);
  return (url: URL): ScriptedAnswer => {
    const alone = /^\/v1\/instances\/(.+)$/.exec(url.pathname)?.[1];
    const filters = ["id", "name"].flatMap((name) => url.searchParams.getAll(name));
    const named = alone === undefined ? filters : [alone];
    if (bad.some((number) => isNamed(number, named))) return refusal(500, "internal");
    if (refused.some((number) => isNamed(number, named))) return refusal(403, "forbidden");
    const matching = named.length === 0 ? all : all.filter((number) => isNamed(number, named));
    return alone === undefined ? pageOf(matching, url) : instanceAlone(matching[0]);
  };
}

function instanceAlone(number: number | undefined): ScriptedAnswer {
  return number === undefined ? refusal(404, "not_found") : { body: instance(number) };
}

function pageOf(numbers: readonly number[], url: URL): ScriptedAnswer {
  const offset = Number(url.searchParams.get("cursor") ?? 0);
  const limit = Number(url.searchParams.get("limit") ?? 500);
  const items = numbers.slice(offset, offset + limit).map((number) => instance(number));
  const next = offset + limit < numbers.length ? String(offset + limit) : null;
  return { body: { items, next } };
}

function refusal(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): ScriptedAnswer {
  return {
    status,
    headers,
    body: { error: { code, message: `it is ${code}`, requestId: "in-body" } },
  };
}

function kindsOf(answers: ReadonlyMap<string, Lookup>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of answers.values()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

async function single(answer: (url: URL) => ScriptedAnswer, ref: InstanceRef = byId(1)) {
  const { cloud, instances } = await cloudThat(answer);
  const answers = await instances.describe([ref], { mode: "single" }, testContext());
  const [lookup] = answers.values();
  if (lookup === undefined) throw new Error("there is no answer");
  return { lookup, requests: cloud.requests };
}

async function errorOf(answer: ScriptedAnswer) {
  const { lookup } = await single(() => answer);
  if (lookup.kind !== "failed") throw new Error(`it did not fail but is ${lookup.kind}`);
  return lookup.error;
}

describe("one instance", () => {
  it("is read by its ID in one call, with its request's id", async () => {
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

  it("that a filtered listing of one batch lacks is read alone all the same", async () => {
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

  it("cannot be distinguished from another one of its name", async () => {
    const items = [instance(1, { name: "n1" }), instance(2, { name: "n1" })];
    const { lookup } = await single(() => ({ body: { items, next: null } }), {
      nodeName: "n1",
      providerID: undefined,
    });
    expect(lookup).toMatchObject({ kind: "failed", error: { code: "Invalid" } });
  });
});

describe("absence", () => {
  it("is proven by the cloud's own not_found and a listing in the same breath", async () => {
    const { lookup, requests } = await single(goodCloud(3, { missing: [1] }));
    expect(requests).toEqual([`/v1/instances/${idOf(1)}`, "/v1/instances?limit=1"]);
    expect(lookup).toMatchObject({
      kind: "absent",
      proof: { by: "providerID", cloudShowsOthers: true, requestId: "req-1" },
    });
  });

  it("reports when the cloud shows nothing at all", async () => {
    expect((await single(goodCloud(0))).lookup).toMatchObject({
      kind: "absent",
      proof: { cloudShowsOthers: false },
    });
  });

  it("by name is an empty listing of that name", async () => {
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

describe("several instances", () => {
  it("share one filtered listing, and what it lacks is not absent", async () => {
    const { cloud, instances } = await cloudThat(goodCloud(10, { missing: [4] }));
    const answers = await instances.describe(refs(10), { mode: "batch" }, testContext());
    expect(kindsOf(answers)).toEqual({ found: 9, notListed: 1 });
    expect(answers.get(`id:sandbox://${idOf(4)}`)).toEqual({
      kind: "notListed",
      requestId: "req-1",
    });
    expect(cloud.requests).toHaveLength(1);
  });

  it("of a thousand nodes take four calls, and of more one listing by pages", async () => {
    const { cloud, instances } = await cloudThat(goodCloud(1_400));
    await instances.describe(refs(1_000), { mode: "batch" }, testContext());
    expect(cloud.requests).toHaveLength(4);
    const answers = await instances.describe(refs(1_400), { mode: "batch" }, testContext());
    expect(kindsOf(answers)).toEqual({ found: 1_400 });
    expect(cloud.requests).toHaveLength(7);
  });

  it("all fail when one page of the listing is missing", async () => {
    const good = goodCloud(1_400);
    const { instances } = await cloudThat((url) =>
      url.searchParams.get("cursor") === "500" ? refusal(500, "internal") : good(url),
    );
    expect(
      kindsOf(await instances.describe(refs(1_400), { mode: "batch" }, testContext())),
    ).toEqual({ failed: 1_400 });
  });

  test.each([[1], [128], [250]])(
    "are found although number %i makes its reads fail",
    async (bad) => {
      const { cloud, instances } = await cloudThat(goodCloud(250, { bad: [bad] }));
      const answers = await instances.describe(refs(250), { mode: "batch" }, testContext());
      expect(kindsOf(answers)).toEqual({ found: 249, failed: 1 });
      expect(answers.get(`id:sandbox://${idOf(bad)}`)).toMatchObject({ kind: "failed" });
      expect(cloud.requests.length).toBeLessThanOrEqual(1 + 32);
    },
  );

  it("are found although one of them may not be read", async () => {
    const { instances } = await cloudThat(goodCloud(24, { refused: [5] }));
    const answers = await instances.describe(refs(24), { mode: "batch" }, testContext());
    expect(kindsOf(answers)).toEqual({ found: 23, failed: 1 });
    expect(answers.get(`id:sandbox://${idOf(5)}`)).toMatchObject({
      error: { code: "Unauthorized", call: { status: 403 } },
    });
  });

  it("are not taken apart when the cloud fails for all of them", async () => {
    const { cloud, instances } = await cloudThat(() => refusal(500, "internal"));
    expect(kindsOf(await instances.describe(refs(200), { mode: "batch" }, testContext()))).toEqual({
      failed: 200,
    });
    expect(cloud.requests).toHaveLength(2);
  });

  test.each([
    [429, "throttled", "Throttled"],
    [401, "unauthorized", "Unauthorized"],
  ])("are not asked for again after a %i", async (status, code, expected) => {
    const { cloud, instances } = await cloudThat(() => refusal(status, code));
    const answers = await instances.describe(refs(200), { mode: "batch" }, testContext());
    expect(answers.get(`id:sandbox://${idOf(7)}`)).toMatchObject({ error: { code: expected } });
    expect(cloud.requests).toHaveLength(1);
  });

  it("spend no more than the budget on many bad ones", async () => {
    const bad = Array.from({ length: 100 }, (_, index) => index * 2 + 1);
    const { cloud, instances } = await cloudThat(goodCloud(200, { bad }));
    const answers = await instances.describe(refs(200), { mode: "batch" }, testContext());
    expect(answers.size).toBe(200);
    expect(cloud.requests.length).toBeLessThanOrEqual(1 + 32 * 2);
  });

  it("are read one by one where single reads are asked for", async () => {
    const { cloud, instances } = await cloudThat(goodCloud(3));
    await instances.describe(refs(3), { mode: "single" }, testContext());
    expect([...cloud.requests].sort((left, right) => left.localeCompare(right))).toEqual(
      [1, 2, 3].map((number) => `/v1/instances/${idOf(number)}`),
    );
  });

  it("of other clouds and without form are answered without a call", async () => {
    const { cloud, instances } = await cloudThat(goodCloud(1));
    const others = ["q://1", "i-1", "sandbox://", "sandbox:///x", "sandbox://a b"].map(
      (providerID, index) => ({ nodeName: `x${index}`, providerID }),
    );
    const answers = await instances.describe(others, { mode: "batch" }, testContext());
    expect([...answers.values()].map(({ kind }) => kind)).toEqual([
      "foreign",
      "malformed",
      "malformed",
      "malformed",
      "malformed",
    ]);
    expect(cloud.requests).toEqual([]);
  });
});

describe("an error", () => {
  test.each([
    [400, "invalid", "Invalid"],
    [401, "unauthorized", "Unauthorized"],
    [403, "forbidden", "Unauthorized"],
    [404, "gone", "Unavailable"],
    [409, "conflict", "Conflict"],
    [409, "quota_exceeded", "QuotaExceeded"],
    [418, "teapot", "Invalid"],
    [429, "throttled", "Throttled"],
    [500, "internal", "Unavailable"],
    [503, "unavailable", "Unavailable"],
    [302, "moved", "Unavailable"],
  ])("with status %i and code %s is %s", async (status, said, code) => {
    const error = await errorOf(refusal(status, said));
    expect(error).toMatchObject({
      code,
      message: `it is ${said}`,
      call: {
        provider: "sandbox",
        operation: "GET /v1/instances/{id}",
        target: idOf(1),
        status,
        requestId: "req-1",
      },
    });
  });

  test.each([
    ["3", 3_000],
    ["0.5", 500],
    ["soon", undefined],
  ])("of throttling with Retry-After %s asks for %s ms", async (header, expected) => {
    const error = await errorOf(refusal(429, "throttled", { "retry-after": header }));
    expect(error.call.retryAfterMs).toBe(expected);
  });

  test.each<[string, ScriptedAnswer]>([
    ["that is no JSON", { text: "<html>" }],
    ["that has no id", { body: { name: "n1" } }],
    ["with a state that there is not", { body: instance(1, { state: "molten" }) }],
    [
      "with an address type that there is not",
      { body: instance(1, { addresses: [{ type: "Smoke", address: "x" }] }) },
    ],
  ])("is what an answer %s becomes", async (_case, answer) => {
    expect(await errorOf(answer)).toMatchObject({
      code: "Unavailable",
      call: { status: 200, requestId: "req-1" },
    });
  });

  it.each([
    ["hangs up", { drop: true }],
    [
      "quotes it",
      { status: 401, body: { error: { code: "unauthorized", message: "what is t0ken-of-test" } } },
    ],
  ])("never reveals the token of a cloud that %s", async (_case, answer) => {
    const error = await errorOf(answer);
    expect(`${error.message} ${JSON.stringify(error.call)}`).not.toContain("t0ken");
  });

  it("keeps of a refusal what a record may hold", async () => {
    const error = { code: "invalid", message: "too large", field: "limit", debug: "stack" };
    expect((await errorOf({ status: 400, body: { error } })).call.body).toEqual({
      code: "invalid",
      message: "too large",
      fields: ["limit"],
    });
  });
});

it("sends the token with every request, and each through the context", async () => {
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
