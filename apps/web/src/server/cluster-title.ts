import { mayReach } from "@cloudwright/store/users/cluster-access";
import { cache } from "react";
import { titlesNaming, windowTitle } from "../components/page/window-title.ts";
import { unlessDatabaseSilent } from "./database-check.ts";
import { isUnreachable } from "./errors.ts";
import { ledger } from "./ledger.ts";
import { pageViewer } from "./sign-in/page-viewer.ts";

/** How the titles of a cluster's pages are made. */
export async function clusterTitles(cluster: string) {
  return titlesNaming(await visibleName(cluster));
}

/** The title of the page at the cluster's own address, which is not made as those of the pages below it. */
export async function titleInCluster(cluster: string, title: string) {
  return { absolute: windowTitle(title, await visibleName(cluster)) };
}

/** Undefined for whom the cluster is hidden from, and while the database cannot be reached: no page fails for its title. */
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
