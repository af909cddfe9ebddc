import { auditRouter } from "./routers/audit.ts";
import { balancersRouter } from "./routers/balancers.ts";
import { budgetRouter } from "./routers/budget.ts";
import { clustersRouter } from "./routers/clusters.ts";
import { controllersRouter } from "./routers/controllers.ts";
import { intentsRouter } from "./routers/intents.ts";
import { liveRouter } from "./routers/live.ts";
import { nodesRouter } from "./routers/nodes.ts";
import { overviewRouter } from "./routers/overview.ts";
import { peopleRouter } from "./routers/people.ts";
import { routesRouter } from "./routers/routes.ts";
import { runsRouter } from "./routers/runs.ts";
import { searchRouter } from "./routers/search.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { shadowRouter } from "./routers/shadow.ts";
import { takeoverRouter } from "./routers/takeover.ts";
import { volumesRouter } from "./routers/volumes.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  audit: auditRouter,
  balancers: balancersRouter,
  budget: budgetRouter,
  clusters: clustersRouter,
  controllers: controllersRouter,
  intents: intentsRouter,
  live: liveRouter,
  nodes: nodesRouter,
  overview: overviewRouter,
  people: peopleRouter,
  routes: routesRouter,
  runs: runsRouter,
  search: searchRouter,
  sessions: sessionsRouter,
  shadow: shadowRouter,
  takeover: takeoverRouter,
  volumes: volumesRouter,
});
export type AppRouter = typeof appRouter;
