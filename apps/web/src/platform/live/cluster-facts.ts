import type { ClusterFacts, LeaderFacts } from "@cloudwright/core/model/freshness/freshness";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { shortIdentity } from "../../components/presentation/format-text.ts";

/** Returns what the page's freshness depends on, by this browser's clock, which is `skewMs` ahead of the server's. */
export function clusterFacts(
  { lastHeardAt, leader }: Pick<ClusterView, "lastHeardAt" | "leader">,
  skewMs: number,
): ClusterFacts {
  return {
    reportedAt: lastHeardAt + skewMs,
    leader: leader === undefined ? undefined : leaderFacts(leader, skewMs),
  };
}

function leaderFacts(
  { identity, heardAt, watchSilentMs, cloud }: NonNullable<ClusterView["leader"]>,
  skewMs: number,
): LeaderFacts {
  const shifted = (at: number | undefined) => (at === undefined ? undefined : at + skewMs);
  return {
    identity: shortIdentity(identity),
    reportedAt: heardAt + skewMs,
    watchSilentMs,
    cloud:
      cloud === undefined
        ? undefined
        : {
            resumesAt: shifted(cloud.resumesAt),
            failingSince: shifted(cloud.failingSince),
            closedSince: shifted(cloud.closedSince),
          },
  };
}
