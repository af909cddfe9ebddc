import { auditRouter } from "./routers/audit.ts";
import { clustersRouter } from "./routers/clusters.ts";
import { intentsRouter } from "./routers/intents.ts";
import { liveRouter } from "./routers/live.ts";
import { nodesRouter } from "./routers/nodes.ts";
import { runsRouter } from "./routers/runs.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  audit: auditRouter,
  clusters: clustersRouter,
  intents: intentsRouter,
  live: liveRouter,
  nodes: nodesRouter,
  runs: runsRouter,
});
export type AppRouter = typeof appRouter;
