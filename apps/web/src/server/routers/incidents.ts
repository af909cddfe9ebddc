import {
  deleteIncident,
  incidentInputSchema,
  listIncidents,
  readIncident,
  shareIncident,
  shareIncidentSchema,
} from "@cloudwright/store/incidents/incidents";
import type { Incident, IncidentRow } from "@cloudwright/store/views/incidents";
import { wordedEntries } from "../language/audit-texts.ts";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

export const incidentsRouter = router({
  list: viewerProcedure
    .input(clusterInput)
    .query(({ ctx, input }): Promise<readonly IncidentRow[]> => listIncidents(ctx.verb, input)),
  byId: viewerProcedure
    .input(incidentInputSchema)
    .query(
      async ({ ctx, input }): Promise<Incident> => withWords(await readIncident(ctx.verb, input)),
    ),
  share: viewerProcedure
    .input(shareIncidentSchema)
    .mutation(({ ctx, input }): Promise<{ readonly id: string }> => shareIncident(ctx.verb, input)),
  /** The user's own; for an admin, anybody's. */
  remove: viewerProcedure
    .input(incidentInputSchema)
    .mutation(({ ctx, input }): Promise<void> => deleteIncident(ctx.verb, input)),
});

/** Translates the reasons of its audit entries for the reader, however old the snapshot is. */
function withWords({ snapshot, ...incident }: Incident): Incident {
  if (snapshot === undefined) return { ...incident, snapshot };
  return { ...incident, snapshot: { ...snapshot, entries: wordedEntries(snapshot.entries) } };
}
