import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import {
  type CallContext,
  type Provider,
  ProviderError,
  type Routes,
  type Volumes,
} from "@cloudwright/provider-api";
import { expect, test } from "vitest";
import type { Fences } from "../cluster/fences.ts";
import type { ProcessContext } from "../process-context.ts";
import { accessCloud } from "./cloud-access.ts";

const nothing = () => undefined;

/** Access to a cloud with the given capabilities. */
function access(provider: Partial<Provider>) {
  const clock = createManualClock();
  const context = {
    ...{ clock, flags: { "max-retry-after": 600_000 } },
    metrics: { own: { cloudCall: nothing }, manager: { call: nothing } },
    meter: { lookup: nothing, turn: nothing, putOff: nothing, allows: nothing },
  } as unknown as ProcessContext;
  const fences = { main: () => true, of: () => () => true } as unknown as Fences;
  const { signal } = new AbortController();
  const run = { startedAt: clock.now(), signal, step: nothing } as never;
  const cloud = accessCloud(context, { name: "p", hasClusterId: true, ...provider }, fences);
  return { clock, cloud, run };
}

/** A cloud that never answers, for one observation of its routes. */
function unanswered(answerTimeoutMs?: number) {
  const list = ({ call }: CallContext) =>
    call({ operation: "list", target: "all", mutates: false }, () => new Promise<never>(nothing));
  const limit = answerTimeoutMs === undefined ? {} : { answerTimeoutMs };
  const { clock, cloud, run } = access({ ...limit, routes: { list } as unknown as Routes });
  const ends: unknown[] = [];
  cloud.routes
    ?.for(run)
    .list({ maxAgeMs: 0, priority: "new" })
    .catch((error: unknown) => ends.push(error));
  return { clock, ends };
}

test.each([
  ["as long as the provider says", 25_000, 25_000],
  ["10 seconds where it does not say", undefined, 10_000],
])("an answer of the cloud is waited for %s", async (_case, given, limit) => {
  const { clock, ends } = unanswered(given);
  await clock.advance(limit - 1);
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(ends).toMatchObject([{ code: "TimedOut" }]);
});

test("a refusal because of a quota makes the quotas be read again, but not for a read", async () => {
  let reads = 0;
  const refuse =
    (mutates: boolean) =>
    (_id: unknown, _size: unknown, { call }: CallContext) =>
      call({ operation: "grow", target: "d-1", mutates }, () => {
        throw new ProviderError("QuotaExceeded", "full", {
          provider: "p",
          operation: "grow",
          status: 413,
        });
      });
  for (const mutates of [false, true]) {
    reads = 0;
    const list = async () => {
      reads += 1;
      return [];
    };
    const volumes = { grow: refuse(mutates) } as unknown as Volumes;
    const { clock, cloud, run } = access({ volumes, quotas: [{ service: "Cinder", list }] });
    const end = cloud.quotas?.follow();
    await expect.poll(() => cloud.quotas?.latest()).toHaveLength(1);
    await clock.advance(60_000);
    await expect(cloud.volumes?.for(run).grow("d-1", 2, "new")).rejects.toThrow("full");
    await clock.advance(0);
    await expect.poll(() => reads).toBe(mutates ? 2 : 1);
    end?.();
  }
});
