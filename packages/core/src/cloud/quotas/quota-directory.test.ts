import { ProviderError, type Quota, type QuotaSource } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "../calls/budget.ts";
import { createCallContexts } from "../calls/call-context.ts";
import { createQuotaDirectory } from "./quota-directory.ts";

const MINUTE_MS = 60_000;
const ADDRESSES: Quota = { resource: "floating IPs", limit: 50, used: 48 };

/** Returns a directory whose sources answer with the current content of `answers`. */
function cloudWith(answers: Record<string, readonly Quota[] | Error>) {
  const clock = createManualClock();
  const reads: string[] = [];
  const sourceOf = (service: string): QuotaSource => ({
    service,
    list: (context) =>
      context.call({ operation: "quota_get", target: service, mutates: false }, async () => {
        reads.push(service);
        const answer = answers[service];
        if (answer === undefined || answer instanceof Error) throw answer;
        return { value: answer, status: 200 };
      }),
  });
  const directory = createQuotaDirectory({
    sources: Object.keys(answers).map(sourceOf),
    clock,
    contexts: createCallContexts({
      provider: "test",
      clock,
      budget: createCloudBudget({ provider: "test", clock }),
      fence: () => true,
    }),
  });
  return { directory, clock, reads };
}

const forbidden = new ProviderError("Unauthorized", "The policy does not allow it.", {
  provider: "test",
  operation: "quota_get",
  status: 403,
});

describe("quotas", () => {
  it("are known while somebody follows them, and read every ten minutes", async () => {
    const { directory, clock, reads } = cloudWith({ Neutron: [ADDRESSES] });
    expect(directory.latest()).toEqual([]);
    const end = directory.follow();
    await expect
      .poll(() => directory.latest())
      .toEqual([{ service: "Neutron", readAt: clock.now(), quotas: [ADDRESSES] }]);
    await clock.advance(10 * MINUTE_MS - 1);
    expect(reads).toHaveLength(1);
    await clock.advance(1);
    await expect.poll(() => reads).toHaveLength(2);
    end();
    expect(directory.latest()).toEqual([]);
    await clock.advance(60 * MINUTE_MS);
    expect(reads).toHaveLength(2);
  });

  it("of one service are shown although another's cannot be read, with the cause", async () => {
    const { directory, clock } = cloudWith({ Octavia: forbidden, Neutron: [ADDRESSES] });
    directory.follow();
    await expect
      .poll(() => directory.latest())
      .toEqual([
        { service: "Octavia", quotas: [], problem: "The policy does not allow it." },
        { service: "Neutron", readAt: clock.now(), quotas: [ADDRESSES] },
      ]);
  });

  it("stay as they were last read while a service does not answer, with that time", async () => {
    const answers: Record<string, readonly Quota[] | Error> = { Neutron: [ADDRESSES] };
    const { directory, clock } = cloudWith(answers);
    directory.follow();
    await expect.poll(() => directory.latest()).toHaveLength(1);
    const readAt = clock.now();
    answers.Neutron = forbidden;
    await clock.advance(10 * MINUTE_MS);
    await expect
      .poll(() => directory.latest())
      .toMatchObject([{ readAt, quotas: [ADDRESSES], problem: expect.any(String) }]);
    answers.Neutron = [];
    await clock.advance(10 * MINUTE_MS);
    await expect
      .poll(() => directory.latest())
      .toEqual([{ service: "Neutron", readAt: readAt + 20 * MINUTE_MS, quotas: [] }]);
  });

  it("are read again after refusals, at most once a minute", async () => {
    const { directory, clock, reads } = cloudWith({ Neutron: [ADDRESSES] });
    directory.refused();
    expect(reads).toEqual([]);
    directory.follow();
    await expect.poll(() => directory.latest()).toHaveLength(1);
    directory.refused();
    directory.refused();
    await clock.advance(MINUTE_MS - 1);
    expect(reads).toHaveLength(1);
    await clock.advance(1);
    await expect.poll(() => reads).toHaveLength(2);
    await clock.advance(9 * MINUTE_MS);
    expect(reads).toHaveLength(2);
    directory.refused();
    await clock.advance(0);
    await expect.poll(() => reads).toHaveLength(3);
  });

  it("of a verbose provider are cut to a size for a heartbeat", async () => {
    const many = Array.from({ length: 1_000 }, () => ({
      ...ADDRESSES,
      resource: "x".repeat(9_000),
    }));
    const { directory } = cloudWith({ Neutron: many });
    directory.follow();
    await expect.poll(() => directory.latest()[0]?.quotas).toHaveLength(50);
    expect(JSON.stringify(directory.latest()).length).toBeLessThan(10_000);
  });
});
