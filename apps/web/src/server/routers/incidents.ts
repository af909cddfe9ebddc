import {
  deleteIncident,
  incidentInputSchema,
  listIncidents,
  readIncident,
  shareIncident,
  shareIncidentSchema,
} from "@cloudwright/store/incidents/incidents";
import type { Incident, IncidentRow } from "@cloudwright/store/views/incidents";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

export const incidentsRouter = router({
  list: viewerProcedure
    .input(clusterInput)
    .query(({ ctx, input }): Promise<readonly IncidentRow[]> => listIncidents(ctx.verb, input)),
  byId: viewerProcedure
    .input(incidentInputSchema)
    .query(({ ctx, input }): Promise<Incident> => readIncident(ctx.verb, input)),
  share: viewerProcedure
    .input(shareIncidentSchema)
    .mutation(({ ctx, input }): Promise<{ readonly id: string }> => shareIncident(ctx.verb, input)),
  /** One's own, or as an admin anybody's. */
  remove: viewerProcedure
    .input(incidentInputSchema)
    .mutation(({ ctx, input }): Promise<void> => deleteIncident(ctx.verb, input)),
});
