import { approvalsRouter } from "./routers/approvals.ts";
import { auditRouter } from "./routers/audit.ts";
import { clustersRouter } from "./routers/clusters.ts";
import { commentsRouter } from "./routers/comments.ts";
import { fleetRouter } from "./routers/fleet.ts";
import { incidentsRouter } from "./routers/incidents.ts";
import { intentsRouter } from "./routers/intents.ts";
import { liveRouter } from "./routers/live.ts";
import { preferencesRouter } from "./routers/preferences.ts";
import { savedViewsRouter } from "./routers/saved-views.ts";
import { tokensRouter } from "./routers/tokens.ts";
import { sessionsRouter, usersRouter } from "./routers/users.ts";
import { viewRouters } from "./routers/views.ts";
import { webhooksRouter } from "./routers/webhooks.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  ...viewRouters,
  approvals: approvalsRouter,
  audit: auditRouter,
  clusters: clustersRouter,
  comments: commentsRouter,
  fleet: fleetRouter,
  incidents: incidentsRouter,
  intents: intentsRouter,
  live: liveRouter,
  people: usersRouter,
  preferences: preferencesRouter,
  savedViews: savedViewsRouter,
  sessions: sessionsRouter,
  tokens: tokensRouter,
  webhooks: webhooksRouter,
});
export type AppRouter = typeof appRouter;
