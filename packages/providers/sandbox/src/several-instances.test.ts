import { afterEach, describe, expect, it, test } from "vitest";
import {
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

async function errorOf(answer: ScriptedAnswer) {
  const { lookup } = await single(() => answer);
  if (lookup.kind !== "failed") throw new Error(`it did not fail but is ${lookup.kind}`);
  return lookup.error;
}

describe("several instances", () => {
  it("share one filtered listing, and an instance missing from it is not absent", async () => {
    const { cloud, instances } = await cloudThat(goodCloud(10, { missing: [4] }));
    const answers = await instances.describe(refs(10), { mode: "batch" }, testContext());
    expect(kindsOf(answers)).toEqual({ found: 9, notListed: 1 });
    expect(answers.get(`id:sandbox://${idOf(4)}`)).toEqual({
      kind: "notListed",
      requestId: "req-1",
    });
    expect(cloud.requests).toHaveLength(1);
  });

  it("of a thousand nodes take four calls, and of more one paged listing", async () => {
    const { cloud, instances } = await cloudThat(goodCloud(1_400));
    await instances.describe(refs(1_000), { mode: "batch" }, testContext());
    expect(cloud.requests).toHaveLength(4);
    const answers = await instances.describe(refs(1_400), { mode: "batch" }, testContext());
    expect(kindsOf(answers)).toEqual({ found: 1_400 });
    expect(cloud.requests).toHaveLength(7);
  });

  it("all fail if one page of the listing is missing", async () => {
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

  it("are not split if the cloud fails for all of them", async () => {
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

  it("spend no more than the budget on many failing ones", async () => {
    const bad = Array.from({ length: 100 }, (_, index) => index * 2 + 1);
    const { cloud, instances } = await cloudThat(goodCloud(200, { bad }));
    const answers = await instances.describe(refs(200), { mode: "batch" }, testContext());
    expect(answers.size).toBe(200);
    expect(cloud.requests.length).toBeLessThanOrEqual(1 + 32 * 2);
  });

  it("are read one by one if single reads are requested", async () => {
    const { cloud, instances } = await cloudThat(goodCloud(3));
    await instances.describe(refs(3), { mode: "single" }, testContext());
    expect([...cloud.requests].sort((left, right) => left.localeCompare(right))).toEqual(
      [1, 2, 3].map((number) => `/v1/instances/${idOf(number)}`),
    );
  });

  it("of other clouds and with malformed IDs are answered without a call", async () => {
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

  it("keeps of a refusal only what a record may contain", async () => {
    const error = { code: "invalid", message: "too large", field: "limit", debug: "stack" };
    expect((await errorOf({ status: 400, body: { error } })).call.body).toEqual({
      code: "invalid",
      message: "too large",
      fields: ["limit"],
    });
  });
});
