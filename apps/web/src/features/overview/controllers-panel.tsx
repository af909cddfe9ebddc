"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { type GuardStatus, heldCount } from "@cloudwright/core/model/controls";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import { formatClock } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { shortController } from "../../platform/runs/run-grammar.ts";
import { controllerState } from "../../platform/wording/health-messages.ts";
import lines from "./lines.module.css";

type Controller = ControllerInstanceView["controllers"][number];

/** The leader's loops: what waits in their queues, and what went wrong last. */
export function ControllersPanel() {
  const cluster = useClusterId();
  const { data } = useCluster(cluster);
  const isUnknown = useIsOld();
  const leader = data?.leader;
  const controllers = leader?.controllers ?? [];
  return (
    <Panel
      title={t`Controllers`}
      aside={
        <Link href={addresses.controllers(cluster)} prefetch={false}>
          {t`All controllers`}
        </Link>
      }
    >
      {controllers.length === 0 ? (
        <p className="quiet small">
          {data === undefined ? "" : t`No controller leads, so nothing is reconciled.`}
        </p>
      ) : (
        <ul className={lines.controllers}>
          {controllers.map((controller) => (
            <ControllerLine key={controller.name} controller={controller} isUnknown={isUnknown} />
          ))}
        </ul>
      )}
      <GuardLine guard={leader?.controls?.guard} />
    </Panel>
  );
}

/** How many deletions the guard has let through; held ones are among the problems. */
function GuardLine({ guard }: { readonly guard: GuardStatus | undefined }) {
  if (guard === undefined) return null;
  const { deleted, limit, windowMs, windowEndsAt } = guard;
  const count = heldCount(guard);
  const letThrough = t`Deletion guard: ${formatCount(deleted)} of at most ${formatCount(limit)} nodes deleted within ${formatDuration(windowMs)}.`;
  return (
    <p className="quiet small">
      {keepUnits(letThrough)}
      {count === 0 ? null : ` ${t`${formatCount(count)} held.`}`}
      {windowEndsAt === undefined ? null : (
        <> {mixed`This window ends ${<TimeText at={windowEndsAt} />}.`}</>
      )}
    </p>
  );
}

function ControllerLine({
  controller,
  isUnknown,
}: {
  readonly controller: Controller;
  readonly isUnknown: boolean;
}) {
  const cluster = useClusterId();
  const { name } = controller;
  const note = useControllerNote(controller);
  const runs = addresses.runs(cluster, `controller:${shortController(name)}`);
  return (
    <li className={`grid centred gap-3 ${lines.controller}`}>
      <Link href={runs} className="strong">
        {controllerOf(name).label}
      </Link>
      <RowStatus status={controllerState(controller, isUnknown)} />
      <span className="clip ellipsis nowrap end small quiet" title={note}>
        {note}
      </span>
    </li>
  );
}

/** Returns what matters most about it in a few words: who paused it, what failed last, otherwise what waits. */
function useControllerNote(controller: Controller): string {
  const { zone } = usePreferences();
  const now = useNow();
  const { lastError, paused } = controller;
  if (paused !== undefined)
    return t`by ${paused.by} until ${formatClock(paused.until, zone, now)}: ${paused.why}`;
  return lastError === undefined ? keepUnits(queueText(controller)) : t`Last error: ${lastError}`;
}

function queueText({ queueDepth, oldestMs }: Controller): string {
  if (queueDepth === 0) return "";
  return t`${formatCount(queueDepth)} queued, the oldest for ${formatDuration(oldestMs)}`;
}
