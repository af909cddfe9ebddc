import { auditRouter } from "./routers/audit.ts";
import { clustersRouter } from "./routers/clusters.ts";
import { intentsRouter } from "./routers/intents.ts";
import { liveRouter } from "./routers/live.ts";
import { peopleRouter } from "./routers/people.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { viewRouters } from "./routers/views.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  ...viewRouters,
  audit: auditRouter,
  clusters: clustersRouter,
  intents: intentsRouter,
  live: liveRouter,
  people: peopleRouter,
  sessions: sessionsRouter,
});
export type AppRouter = typeof appRouter;
