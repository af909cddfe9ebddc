"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { Reason } from "@cloudwright/core/model/reason";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { SentenceText, WholeCause } from "../../../components/evidence/sentence-text.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { isUnread, UnreadPart } from "../../../components/page/unread-part.tsx";
import { formatCount, keepUnits } from "../../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { formatElapsed } from "../../../components/time/format-time.ts";
import { useNow } from "../../../components/time/ticker.ts";
import { ClockText, useCause } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { routeStep } from "./routes-tab.tsx";
import { type TimelineRow, timelineModel } from "./timeline-model.ts";
import styles from "./timeline-tab.module.css";

const STEP_STATUS = {
  done: {
    status: STATE_PRESENTATION.ok,
    get word() {
      return t`done`;
    },
  },
  failed: {
    status: STATE_PRESENTATION.stuck,
    get word() {
      return t`failing`;
    },
  },
  pending: {
    status: STATE_PRESENTATION.gone,
    get word() {
      return t`not yet`;
    },
  },
} as const;

/** What happened to the node since its registration, in that order. */
export function TimelineTab({ node }: { readonly node: NodeDetail }) {
  const now = useNow();
  const model = timelineModel(node.timeline, now, routeStep(node));
  if (model.rows.length === 0) {
    return (
      <EmptyState isCard title={t`No initialisation is recorded`}>
        {t`This node was initialised before the ledger began, or its kubelet did not ask for
          it.`}
      </EmptyState>
    );
  }
  return (
    <div className={page.card}>
      <ol className="grid" aria-label={t`Steps of the initialisation`}>
        {model.rows.map((row) => (
          <Step key={row.step.step} row={row} />
        ))}
      </ol>
      <p className="pad-3-4 medium">
        {model.done
          ? keepUnits(t`Initialised in ${formatDuration(model.totalMs)}.`)
          : keepUnits(t`Not initialised yet, after ${formatElapsed(model.totalMs)}.`)}{" "}
        <Comparison totalMs={model.totalMs} fleet={node.fleet} />
      </p>
      {isUnread(node, "fleet") ? (
        <div className="pad-3-4">
          <UnreadPart>{t`How long other nodes took could not be read.`}</UnreadPart>
        </div>
      ) : null}
    </div>
  );
}

function Step({ row }: { readonly row: TimelineRow }) {
  const cluster = useClusterId();
  const { step } = row;
  const { status, word } = STEP_STATUS[step.state];
  return (
    <li className={`grid centred pad-3-4 line-below ${styles.step}`} data-state={step.state}>
      <StatusIcon status={status} size={18} />
      <div className={`bold ${styles.label}`}>
        {row.label}
        <span className="visually-hidden">: {word}</span>
      </div>
      <div className={styles.when}>
        {step.startedAt === undefined || step.state === "pending" ? (
          <span className="quiet light">{t`not yet`}</span>
        ) : (
          <ClockText at={step.startedAt} />
        )}
      </div>
      <div className={styles.long}>{step.state === "pending" ? "" : howLong(row)}</div>
      <Bar row={row} />
      <div className={`flex wrap small second ${styles.why}`}>
        {step.reason === undefined ? null : <WholeCause reason={step.reason} />}
        {row.together === undefined ? null : (
          <span className="quiet">{t`in the same run as ${row.together.toLowerCase()}`}</span>
        )}
        {step.runId === undefined || row.together !== undefined ? null : (
          <Link href={addresses.run(cluster, step.runId)} prefetch={false}>
            {mixed`run ${step.runId.slice(-8)}`}
          </Link>
        )}
      </div>
    </li>
  );
}

function howLong({ durationMs, step }: TimelineRow): string {
  const isRetried = step.tries > 1;
  if (durationMs === undefined || durationMs === 0) {
    return isRetried ? t`${step.tries} attempts` : "";
  }
  const took = step.state === "failed" ? formatElapsed(durationMs) : formatDuration(durationMs);
  return isRetried ? t`${took}, ${step.tries} attempts` : took;
}

function Bar({ row: { bar, step } }: { readonly row: TimelineRow }) {
  return (
    <div className={styles.track} aria-hidden="true">
      {bar === undefined ? null : (
        <span
          className={styles.bar}
          data-state={step.state}
          style={{ left: `${bar.start * 100}%`, width: `max(4px, ${bar.width * 100}%)` }}
        />
      )}
    </div>
  );
}

function Comparison({
  totalMs,
  fleet,
}: {
  readonly totalMs: number;
  readonly fleet: NodeDetail["fleet"];
}) {
  if (fleet === undefined) return null;
  const isSlow = totalMs > fleet.p95Ms;
  return (
    <span className={isSlow ? styles.slow : "quiet light"}>
      {isSlow ? `${keepUnits(t`Slower than 95 % of this fleet.`)} ` : ""}
      {keepUnits(fleetText(fleet))}
    </span>
  );
}

function fleetText({ nodes, p50Ms, p95Ms }: NonNullable<NodeDetail["fleet"]>): string {
  const [half, most] = [formatDuration(p50Ms), formatDuration(p95Ms)];
  return nodes === 1
    ? t`The only node initialised in the last 7 days took ${half}.`
    : t`Half of ${formatCount(nodes)} nodes took at most ${half}, 95 % at most ${most} (7 days).`;
}

/** A problem that a hold keeps from being fixed: it will still be there when the hold ends. */
export function UnderneathText({ reason }: { readonly reason: Reason }) {
  const cause = useCause();
  return (
    <p className="quiet">
      <SentenceText text={t`When the hold began: ${cause(reason)}.`} />
    </p>
  );
}
