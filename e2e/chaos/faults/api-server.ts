import { setTimeout as wait } from "node:timers/promises";
import { fault } from "../environment.ts";
import { comeAndGo } from "../fleets/rounds.ts";

/** All connections to the API server are cut every second: watches, and now and then a write whose answer is then lost. */
export const cutWatches = fault("cut-watches", async (env) => {
  const { short, fleet, start } = env;
  const cuts = short ? 15 : 60;
  const { relay, config } = await env.wayToCluster();
  await start({ kubeconfig: config });
  let over = false;
  const cutting = (async () => {
    for (let cut = 0; cut < cuts; cut++) {
      await wait(1_000);
      relay.drop();
    }
  })().finally(() => {
    over = true;
  });
  const came = await comeAndGo(env, () => over);
  await cutting;
  await fleet.settled();
  return `${cuts} cuts, a second apart, while ${came} nodes joined`;
});
