import { describe, expect, it } from "vitest";
import { CloudUnderTest } from "../testing/cloud-under-test.ts";

const INSTANCES = "/v1/instances";

const cloud = CloudUnderTest.forEachTest();

describe("faults", () => {
  it("fails the first k reads and then works", async () => {
    const { id } = await cloud.make(INSTANCES, { name: "n1" });
    await cloud.faults({
      rules: [{ method: "GET", path: "/v1/instances/*", times: 2, status: 500 }],
    });
    const path = `/v1/instances/${id}`;
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await cloud.call("GET", path)).status);
    }
    expect(statuses).toEqual([500, 500, 200]);
    expect(await cloud.call("GET", "/admin/faults")).toMatchObject({
      body: { rules: [{ times: 0 }] },
    });
  });

  it.each([
    [{ status: 403 }, 403, "forbidden"],
    [{ status: 404 }, 404, "not_found"],
    [{ status: 409 }, 409, "conflict"],
    [{ status: 409, code: "quota_exceeded" }, 409, "quota_exceeded"],
    [{ code: "busy" }, 409, "busy"],
    [{ status: 429 }, 429, "throttled"],
    [{ retryAfter: 3 }, 429, "throttled"],
    [{ status: 503 }, 503, "unavailable"],
    [{ status: 502 }, 502, "internal"],
    [{ status: 422 }, 422, "invalid"],
    [{ status: 400, code: "strange_code" }, 400, "strange_code"],
  ])("answers the rule %j with %d %s", async (rule, status, code) => {
    await cloud.faults({ rules: [rule] });
    expect(await cloud.call("GET", INSTANCES)).toMatchObject({ status, body: { error: { code } } });
  });

  it("sends Retry-After with every 429", async () => {
    await cloud.faults({
      rules: [
        { status: 429, times: 1 },
        { status: 429, retryAfter: 7 },
      ],
    });
    expect((await cloud.exchange("GET", INSTANCES)).headers.get("retry-after")).toBe("1");
    expect((await cloud.exchange("GET", INSTANCES)).headers.get("retry-after")).toBe("7");
  });

  it("affects one machine by name or id, and never an unfiltered listing", async () => {
    const bad = await cloud.make(INSTANCES, { name: "bad" });
    const good = await cloud.make(INSTANCES, { name: "good" });
    for (const instance of ["bad", bad.id]) {
      await cloud.faults({ rules: [{ status: 500, instance }] });
      const statusOf = async (path: string) => (await cloud.call("GET", path)).status;
      expect(await statusOf(`/v1/instances/${bad.id}`)).toBe(500);
      expect(await statusOf(`/v1/instances?name=bad`)).toBe(500);
      expect(await statusOf(`/v1/instances?id=${good.id}&id=${bad.id}`)).toBe(500);
      expect(await statusOf(`/v1/instances/${good.id}`)).toBe(200);
      expect(await statusOf("/v1/instances?name=good")).toBe(200);
      expect(await statusOf(INSTANCES)).toBe(200);
    }
  });

  it("still affects a machine by its old name once it is deleted", async () => {
    const bad = await cloud.make(INSTANCES, { name: "bad" });
    await cloud.faults({ rules: [{ method: "GET", status: 500, instance: "bad" }] });
    await cloud.call("DELETE", `/v1/instances/${bad.id}`);
    expect(await cloud.call("GET", `/v1/instances/${bad.id}`)).toMatchObject({ status: 500 });
  });

  it("does the work and loses the answer", async () => {
    await cloud.faults({
      rules: [{ method: "POST", path: INSTANCES, loseResponse: true, times: 1 }],
    });
    await expect(cloud.call("POST", INSTANCES, { body: { name: "lost" } })).rejects.toThrow();
    expect((await cloud.list(`${INSTANCES}?name=lost`)).items).toHaveLength(1);
    expect((await cloud.log()).recent).toContainEqual(
      expect.objectContaining({ method: "POST", status: 0 }),
    );
  });

  it("hangs until the client leaves", async () => {
    await cloud.faults({ rules: [{ hang: true, times: 1 }] });
    const leaving = new AbortController();
    const hanging = cloud.call("GET", INSTANCES, { signal: leaving.signal });
    await expect.poll(async () => (await cloud.log()).total).toBe(1);
    expect((await cloud.log()).recent).toEqual([]);
    leaving.abort();
    await expect(hanging).rejects.toThrow();
    await expect.poll(async () => (await cloud.log()).recent).toMatchObject([{ status: 0 }]);
  });

  it("does not do the work of a client that left while it was delayed", async () => {
    await cloud.faults({ rules: [{ method: "POST", latencyMs: 60_000 }] });
    const leaving = new AbortController();
    const delayed = cloud.call("POST", INSTANCES, { body: { name: "n" }, signal: leaving.signal });
    await expect.poll(async () => (await cloud.log()).total).toBe(1);
    leaving.abort();
    await expect(delayed).rejects.toThrow();
    await expect.poll(async () => (await cloud.log()).recent).toMatchObject([{ status: 0 }]);
    expect((await cloud.list(INSTANCES)).items).toEqual([]);
  });

  it("adds the latency of a rule to the answer", async () => {
    await cloud.faults({ rules: [{ latencyMs: 60 }] });
    await cloud.list(INSTANCES);
    expect((await cloud.log()).recent[0]?.ms).toBeGreaterThanOrEqual(59);
  });

  it("throttles past the burst without using up a rule", async () => {
    await cloud.faults({
      throttle: { perSecond: 0.001, burst: 2 },
      rules: [{ status: 503, times: 3 }],
    });
    const answers = [];
    for (let count = 0; count < 4; count += 1) {
      answers.push(await cloud.exchange("GET", INSTANCES));
    }
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 429, 429]);
    expect(Number(answers[3]?.headers.get("retry-after"))).toBeGreaterThan(900);
    expect(await cloud.call("GET", "/admin/faults")).toMatchObject({
      body: { rules: [{ times: 1 }] },
    });
    expect((await cloud.log()).byOperation["GET /v1/instances"]).toEqual({
      count: 4,
      errors: 2,
      throttled: 2,
    });
  });

  it.each([
    { errorRate: 0.5, seed: 7 },
    { rules: [{ method: "GET", status: 500, share: 0.5 }], seed: 7 },
  ])("fails the same share of requests in the same order for one seed by %j", async (wanted) => {
    const sample = async () => {
      await cloud.faults(wanted);
      const statuses = [];
      for (let count = 0; count < 40; count += 1) {
        statuses.push((await cloud.call("GET", INSTANCES)).status);
      }
      return statuses;
    };
    const first = await sample();
    expect(await sample()).toEqual(first);
    expect(first).toContain(200);
    expect(first).toContain(500);
  });

  it.each([
    [{ rules: [{ status: 200 }] }, "rules.0.status"],
    [{ rules: [{ status: 500, hang: true }] }, "rules.0"],
    [{ rules: [{ code: "strange_code" }] }, "rules.0.status"],
    [{ errorRate: 2 }, "errorRate"],
    [{ typo: 1 }, "typo"],
  ])("refuses the faults %j and keeps the old ones", async (body, field) => {
    await cloud.faults({ latencyMs: 1 });
    const refused = await cloud.refusal("PUT", "/admin/faults", { body });
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(`field ${field} `);
    expect(await cloud.call("GET", "/admin/faults")).toMatchObject({ body: { latencyMs: 1 } });
  });
});
