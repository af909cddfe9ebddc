import { setTimeout as wait } from "node:timers/promises";
import { comeAndGo } from "./rounds.ts";
import { onScene, type Scene } from "./scene.ts";

/** PostgreSQL stands still most of the time, in the middle of whatever it does. */
export const databaseSlow = onScene("database-slow", async (scene) => {
  const { short, fleet, start } = scene;
  await start();
  const pulses = short ? 5 : 30;
  let over = false;
  const pulsing = pulse(scene, pulses).finally(() => {
    over = true;
  });
  const came = await comeAndGo(scene, () => over);
  await fleet.settled();
  return `${came} nodes joined while PostgreSQL stood still for ${await pulsing} s in ${pulses} pulses`;
});

/** Each a second or a few, with a moment in between; answers for how long it stood still. */
async function pulse({ database, random, after }: Scene, pulses: number): Promise<number> {
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
