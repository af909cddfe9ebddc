import { setTimeout as wait } from "node:timers/promises";
import { type Environment, fault } from "./environment.ts";
import { comeAndGo } from "./fleets/rounds.ts";

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
