import { type FreshnessFacts, judgeFreshness } from "@cloudwright/core/model/freshness/freshness";
import type { ReactNode } from "react";
import { FreshnessContext, IsOldContext } from "../components/freshness/freshness.ts";

/** When the leader below reported last: long ago. */
const SILENT_SINCE = Date.now() - 14 * 60_000;

/** A page on which every link answers. `over` says what of that is otherwise. */
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

/** As the frame of a page judges it, whose leader fell silent unless `of` says otherwise. */
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
