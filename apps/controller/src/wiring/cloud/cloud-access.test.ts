import { createManualClock } from "@cloudwright/core/model/testing/manual-clock";
import type { CallContext, Provider } from "@cloudwright/provider-api";
import { expect, test } from "vitest";
import type { Fences } from "../cluster/fences.ts";
import type { ProcessContext } from "../process-context.ts";
import { accessCloud } from "./cloud-access.ts";

const nothing = () => undefined;

/** A cloud that answers nothing, for one look at its routes. */
function unanswered(answerTimeoutMs?: number) {
  const clock = createManualClock();
  const list = ({ call }: CallContext) =>
    call({ operation: "list", target: "all", mutates: false }, () => new Promise<never>(nothing));
  const provider = { name: "p", answerTimeoutMs, routes: { list } } as unknown as Provider;
  const context = {
    ...{ clock, flags: { "max-retry-after": 600_000 } },
    metrics: { own: { cloudCall: nothing }, manager: { call: nothing } },
    meter: { lookup: nothing, turn: nothing, putOff: nothing, allows: nothing },
  } as unknown as ProcessContext;
  const fences = { main: () => true, of: () => () => true } as unknown as Fences;
  const { signal } = new AbortController();
  const run = { startedAt: clock.now(), signal, step: nothing };
  const ends: unknown[] = [];
  accessCloud(context, provider, fences)
    .routes?.for(run as never)
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
