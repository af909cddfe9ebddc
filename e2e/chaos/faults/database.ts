import { fault } from "../environment.ts";
import { namesOf, someOf } from "../fleets/fleet.ts";

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
