import { setTimeout as wait } from "node:timers/promises";
import { type Environment, fault } from "../environment.ts";
import { namesOf, someOf } from "../fleets/fleet.ts";
import { comeAndGo } from "../fleets/rounds.ts";

/** PostgreSQL dies by kill -9 and stays away for a while: reconciling goes on, the ledger is whole afterwards. */
export const databaseKilled = fault("database-killed", async (env) => {
  const { short, random, fleet, database, start } = env;
  const rounds = short ? 2 : 5;
  const perRound = short ? 50 : 200;
  await start();
  for (let round = 0; round < rounds; round++) {
    const names = namesOf(`away-${round}`, perRound);
    const done = Math.floor(random() * perRound);
    const joined = fleet.join(names);
    while (fleet.initialised(names) < done) await fleet.nodes.changed(1_000);
    await database.kill();
    await joined;
    await fleet.lose(someOf(names, 1, random));
    await fleet.join(namesOf(`without-${round}`, perRound));
    await fleet.settled();
    await database.restart();
  }
  return `${rounds} deaths of PostgreSQL, ${rounds * perRound} nodes joined while it was dead`;
});

/** PostgreSQL answers, but takes no writes: reconciling goes on, the ledger is whole afterwards. */
export const databaseReadOnly = fault("database-read-only", async (env) => {
  const { short, random, fleet, database, start } = env;
  const rounds = short ? 1 : 5;
  const perRound = short ? 50 : 200;
  await start();
  await fleet.join(namesOf("before", perRound));
  for (let round = 0; round < rounds; round++) {
    await database.setReadOnly(true);
    await fleet.join(namesOf(`read-only-${round}`, perRound));
    await fleet.lose(someOf(fleet.names, 1, random));
    await fleet.settled();
    await database.setReadOnly(false);
  }
  return `${rounds * perRound} nodes joined while PostgreSQL took no writes`;
});

/** PostgreSQL stands still most of the time, in the middle of whatever it does. */
export const databaseSlow = fault("database-slow", async (env) => {
  const { short, fleet, start } = env;
  await start();
  const pulses = short ? 5 : 30;
  let over = false;
  const pulsing = pulse(env, pulses).finally(() => {
    over = true;
  });
  const came = await comeAndGo(env, () => over);
  await fleet.settled();
  return `${came} nodes joined while PostgreSQL stood still for ${await pulsing} s in ${pulses} pulses`;
});

/** Each a second or a few, with a moment in between; answers for how long it stood still. */
async function pulse({ database, random, after }: Environment, pulses: number): Promise<number> {
  after(() => database.thaw());
  let stillMs = 0;
  for (let done = 0; done < pulses; done++) {
    const ms = 1_000 + Math.floor(random() * 2_500);
    database.freeze();
    await wait(ms);
    database.thaw();
    stillMs += ms;
    await wait(50 + random() * 250);
  }
  return Math.round(stillMs / 1_000);
}
