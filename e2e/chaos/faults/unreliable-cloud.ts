import type { FaultRule } from "../../harness/cloud.ts";
import { fault } from "../environment.ts";
import { namesOf, someOf } from "../fleets/fleet.ts";

/** Of all the cloud's answers, so many are no answer. */
const SHARE = 0.3;
const ENDINGS: readonly FaultRule[] = [
  { status: 429, retryAfter: 1 },
  { status: 500 },
  { loseResponse: true },
  { hang: true },
];

/** 30 % of the cloud's answers are 429, 500, lost or never come; that goes on until all is right nevertheless. */
export const unreliableCloud = fault("unreliable-cloud", async (env) => {
  const { short, random, cloud, fleet, start } = env;
  const rounds = short ? 2 : 10;
  const perRound = short ? 50 : 200;
  await start();
  const seed = Math.floor(random() * 2 ** 31);
  await cloud.forgetCalls();
  for (let round = 0; round < rounds; round++) {
    await cloud.setFaults({});
    const joining = fleet.join(namesOf(`unlucky-${round}`, perRound));
    const rules = spread(SHARE).map((rule) => ({ ...rule, method: "GET" }));
    await cloud.setFaults({ seed: seed + round, rules });
    await joining;
    await fleet.settled(180_000);
    await fleet.lose(someOf(fleet.names, 1, random));
    await fleet.settled(180_000);
  }
  const { recent } = await cloud.calls();
  const reads = recent.filter(({ method }) => method === "GET");
  // 404 is the true answer of a machine that is gone.
  const bad = reads.filter(({ status }) => status !== 200 && status !== 404).length;
  return `${bad} of the last ${reads.length} reads of the cloud went wrong`;
});

/** The rules are tried in turn, and each is to strike the same share of all that they fit. */
export function spread(share: number): FaultRule[] {
  const each = share / ENDINGS.length;
  return ENDINGS.map((ending, index) => ({
    ...ending,
    share: each / (1 - index * each),
  }));
}
