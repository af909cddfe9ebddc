import { clusterOfIncident } from "@cloudwright/store/incidents/incidents";
import { addresses } from "../components/url/addresses.ts";
import { unlessDatabaseSilent } from "./database-check.ts";
import { ledger } from "./ledger.ts";
import type { Viewer } from "./sign-in/viewer.ts";

/** Returns the page of an incident in its cluster's frame; undefined if there is none that this user may see. */
export async function incidentAddress(viewer: Viewer, id: string): Promise<string | undefined> {
  const reader = { db: ledger(), actor: viewer };
  const cluster = await unlessDatabaseSilent(clusterOfIncident(reader, id));
  return cluster === undefined ? undefined : addresses.incident(cluster, id);
}
