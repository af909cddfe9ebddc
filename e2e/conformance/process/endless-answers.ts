import { appendFileSync } from "node:fs";
import { hasEnded } from "../../harness/controller.ts";
import type { RelayedCall } from "../../harness/relays/cloud-relay.ts";
import type { Fate } from "../../harness/relays/http-relay.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import { leaderAmong, leaseOf } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  eventsOf,
  initialised,
  internal,
} from "../environment/objects.ts";
import { warned, warnedWithin } from "../environment/reported.ts";
import type { Scenario } from "../environment/scenario.ts";

/** Rows: a cloud whose answers never end, or that asks to wait forever. These numbers are ours. */
export const ENDLESS_ANSWERS: readonly Scenario[] = isolatedRows({
  "X-01 an error message of 150 KB is cut wherever it is shown, and costs nobody the Lease": async (
    env,
  ) => {
    const message = `token=s3cret-of-x01 ${"a-".repeat(75_000)}`;
    const { replica, heal } = await strike(env, () => ({
      ...{ status: 500, code: "internal", message },
    }));
    await warned(env, env.name, ["ProviderUnavailable", "token=***"]);
    for (const event of eventsOf(env, env.name))
      demand(event.message.length <= 1_024, `an Event has ${event.message.length} characters`);
    const output = replica.output();
    demand(!output.includes("s3cret-of-x01"), "the log has the secret");
    const longest = Math.max(...output.split("\n").map((line) => line.length));
    demand(longest <= 80_000, `a line of the log has ${longest} characters`);
    await heal();
  },
  "X-02 a Retry-After of 1e300 is believed up to --max-retry-after; then the process is unhealthy until a call is served":
    async (env) => {
      const { replica, heal, calls } = await strike(
        env,
        () => ({ status: 429, code: "throttled", retryAfter: "1e300" }),
        { "--max-retry-after": "2s" },
      );
      await eventually(async () => {
        const answer = await replica.ask("/healthz");
        same(answer?.status, 500, "the health");
        demand(answer?.body.includes("[-]cloud failed") === true, `it is ${answer?.body}`);
      });
      // Each wait is followed by one call: there are at most as many calls as waits, and they continue.
      const before = { calls: calls(), at: Date.now() };
      await eventually(() => demand(calls() >= before.calls + 2, "nothing is tried any more"));
      const waits = (Date.now() - before.at) / 2_000;
      demand(
        calls() - before.calls <= waits + 2,
        `${calls() - before.calls} calls in ${waits} waits`,
      );
      await heal();
      await eventually(async () =>
        same((await replica.ask("/healthz"))?.status, 200, "the health"),
      );
    },
  "X-03 a listing whose pages name ever new cursors is given up": (env) =>
    isGivenUp(env, ({ number }) => page(`cursor-${number}`), {
      says: "does not end",
      most: 5_000,
    }),
  "X-04 a listing whose pages name one cursor is given up at once": (env) =>
    isGivenUp(env, () => page("cursor"), { says: "does not end", most: 200 }),
  "X-05 an answer that is larger than the provider takes in is given up": (env) =>
    isGivenUp(env, () => ({ status: 200, text: `{"items":["${"x".repeat(400_000)}"]}` }), {
      says: "is larger than 200000 bytes",
      most: 200,
    }),
  "X-06 an answer that is nested 100,000 levels deep is given up": (env) =>
    isGivenUp(env, () => ({ status: 200, text: "[".repeat(100_000) + "]".repeat(100_000) }), {
      says: "nested deeper than 64 levels",
      most: 200,
    }),
});

/** A page with an instance that no cluster owns, and a link to a next one. */
function page(next: string): Fate {
  return { status: 200, text: JSON.stringify({ items: [OUTSIDER], next }) };
}

const OUTSIDER = {
  id: "i-00000000000000ff",
  name: "somebody-else",
  state: "running",
  ...{ type: "m1", region: "r1", zone: "z1", addresses: [], labels: {}, managed: true },
};

interface Struck {
  readonly replica: Replica;
  /** Returns how many requests the cloud has received. */
  calls(): number;
  /** Ends the fault, and checks that work continues under the same Lease, held all the time. */
  heal(): Promise<void>;
}

/** Starts a leader whose cloud answers every read like this, with a Node that waits for its machine. */
async function strike(
  env: IsolatedEnvironment,
  answer: (call: RelayedCall) => Fate,
  flags: Readonly<Record<string, string>> = {},
): Promise<Struck> {
  const { relay, config } = await env.relayedCloud();
  appendFileSync(config, "maxAnswerBytes: 200000\n");
  const replica = await env.start({ cloudConfig: config, flags });
  await leaderAmong([replica]);
  const held = (await leaseOf(env))?.spec;
  const lift = relay.rule({ fits: ({ method }) => method === "GET", strike: answer });
  await createInstance(env, env.name, { addresses: [internal("10.230.0.1")] });
  await createNode(env, env.name);
  return {
    replica,
    calls: () => relay.calls.length,
    heal: async () => {
      lift();
      await initialised(env, env.name, 60_000);
      demand(!hasEnded(replica), "the controller ended");
      const { holderIdentity, leaseTransitions } = (await leaseOf(env))?.spec ?? {};
      same(
        { holderIdentity, leaseTransitions },
        { holderIdentity: held?.holderIdentity, leaseTransitions: held?.leaseTransitions },
        "the Lease's holder",
      );
    },
  };
}

/** Hundreds of pages are read before an endless listing is given up, and a listing may take two minutes. */
const GIVEN_UP_WITHIN_MS = 150_000;

async function isGivenUp(
  env: IsolatedEnvironment,
  answer: (call: RelayedCall) => Fate,
  { says, most }: { readonly says: string; readonly most: number },
): Promise<void> {
  const { replica, calls, heal } = await strike(env, answer);
  const words = ["ProviderUnavailable", says];
  await warnedWithin(env, { name: env.name, words, withinMs: GIVEN_UP_WITHIN_MS });
  same((await replica.ask("/healthz"))?.status, 200, "the health");
  demand(calls() <= most, `the cloud was asked ${calls()} times`);
  await heal();
}
