import { mayReach } from "@cloudwright/store/users/cluster-access";
import { cache } from "react";
import { titlesNaming, windowTitle } from "../components/page/window-title.ts";
import { unlessDatabaseSilent } from "./database-check.ts";
import { isUnreachable } from "./errors.ts";
import { ledger } from "./ledger.ts";
import { pageViewer } from "./sign-in/page-viewer.ts";

/** Returns the title template for a cluster's pages. */
export async function clusterTitles(cluster: string) {
  return titlesNaming(await visibleName(cluster));
}

/** Returns the title of the page at the cluster's own address, to which the template for the pages below it does not apply. */
export async function titleInCluster(cluster: string, title: string) {
  return { absolute: windowTitle(title, await visibleName(cluster)) };
}

/** Undefined if the viewer may not see the cluster or the database cannot be reached: no page fails because of its title. */
const visibleName = cache(async (cluster: string): Promise<string | undefined> => {
  const asked = await pageViewer();
  if (asked.kind === "unreachable" || !mayReach(asked.viewer.clusters, cluster)) return undefined;
  const named = ledger().prisma.cluster.findUnique({
    where: { id: cluster },
    select: { name: true },
  });
  const found = await unlessDatabaseSilent(named).catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
    return null;
  });
  return found?.name;
});
