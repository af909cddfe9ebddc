import { type FreshnessFacts, judgeFreshness } from "@cloudwright/core/model/freshness/freshness";
import type { ReactNode } from "react";
import { FreshnessContext, IsOldContext } from "../components/freshness/freshness.ts";

/** When the leader below last reported: long ago. */
const SILENT_SINCE = Date.now() - 14 * 60_000;

/** Returns the facts of a page on which every link answers, with the given members replaced. */
export function facts(over: Partial<FreshnessFacts> = {}): FreshnessFacts {
  const now = Date.now();
  const answered = { newest: "answered", answeredAt: now } as const;
  const leader = { identity: "ctl-1", reportedAt: now, watchSilentMs: 0, cloud: undefined };
  return {
    ...{ now, server: answered, database: answered, stream: { kind: "open" } },
    ...{ keptSince: undefined, readAt: now, cluster: { reportedAt: now, leader } },
    ...over,
  };
}

/** Provides the freshness as a page's frame judges it; by default, the leader fell silent. */
export function Stale({
  of = silentLeader(),
  children,
}: {
  readonly of?: FreshnessFacts;
  readonly children: ReactNode;
}) {
  const judged = judgeFreshness(of);
  return (
    <FreshnessContext value={judged}>
      <IsOldContext value={judged.isOld}>{children}</IsOldContext>
    </FreshnessContext>
  );
}

function silentLeader(): FreshnessFacts {
  const leader = {
    identity: "ctl-1",
    reportedAt: SILENT_SINCE,
    watchSilentMs: 0,
    cloud: undefined,
  };
  return facts({ cluster: { reportedAt: SILENT_SINCE, leader } });
}
