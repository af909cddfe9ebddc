"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import type { ControllerActivity } from "@cloudwright/store/views/controllers";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { LogMessage } from "../../components/evidence/recorded-text.tsx";
import { Fact } from "../../components/facts/fact.tsx";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { Panel } from "../../components/page/panel.tsx";
import { useFailure } from "../../components/page/use-failure.ts";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { Countdown, useServerNow } from "../../platform/controls/countdown.tsx";
import { PauseButtons, pauseObstacle } from "../../platform/controls/pause-buttons.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { shortController } from "../../platform/runs/run-grammar.ts";
import { controllerState } from "../../platform/wording/health-messages.ts";
import styles from "./controllers.module.css";
import { queueText } from "./controllers-messages.ts";

type Controller = ControllerInstanceView["controllers"][number];

/** The counts of the last hour change even if no run ends. */
const REFETCH_MS = 30_000;

/** The leader's loops, one below the other: state, queue, runs, last error, pause. */
export function RunningPanel({ leader }: { readonly leader: ControllerInstanceView }) {
  const cluster = useClusterId();
  const { skewMs } = useCluster(cluster);
  const now = useServerNow(skewMs);
  const isUnknown = useIsOld();
  const api = useApi();
  const activity = useQuery(
    api.controllers.activity.queryOptions({ cluster }, { refetchInterval: REFETCH_MS }),
  );
  const isUncounted = useFailure(activity) !== undefined;
  const isCounting = activity.data === undefined && !isUncounted;
  const obstacle = pauseObstacle(leader);
  return (
    <Panel title={t`Running`}>
      {obstacle === undefined ? null : (
        <p className={`pad-2-3 small round-small ${page.note}`}>{obstacle}</p>
      )}
      {isUncounted ? (
        <p className={`pad-2-3 small round-small ${page.note}`} role="alert">
          {t`The runs of the last hour could not be counted; the rest is from the leader's
            heartbeat.`}
        </p>
      ) : null}
      {leader.controllers.length === 0 ? (
        <p className="quiet small">{t`The leader has started no controller yet.`}</p>
      ) : (
        <ul className={styles.list} aria-label={t`Controllers`}>
          {leader.controllers.map((controller) => (
            <li key={controller.name} className={styles.item}>
              <ControllerHead
                controller={controller}
                isUnknown={isUnknown}
                obstacle={obstacle}
                now={now}
              />
              <ControllerFacts
                controller={controller}
                leader={leader}
                activity={activity.data?.find((each) => each.controller === controller.name)}
                uncounted={isCounting ? "…" : t`not known`}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ControllerHead({
  controller,
  isUnknown,
  obstacle,
  now,
}: {
  readonly controller: Controller;
  readonly isUnknown: boolean;
  readonly obstacle: string | undefined;
  readonly now: number;
}) {
  const cluster = useClusterId();
  const { name, paused, lastError } = controller;
  return (
    <>
      <div className="row">
        <h3 className={`break body-size heavy ink ${styles.name}`}>
          {controllerOf(name).label} <code>{name}</code>
        </h3>
        <RowStatus status={controllerState(controller, isUnknown)} />
        <span className={`buttons push ${styles.buttons}`}>
          <PauseButtons cluster={cluster} controller={controller} obstacle={obstacle} />
        </span>
      </div>
      {paused === undefined ? null : (
        <p className="break second">
          {mixed`Paused by ${paused.by} ${<Countdown until={paused.until} now={now} />}:
            “${paused.why}”.`}
        </p>
      )}
      {lastError === undefined ? null : (
        <p className="break second">
          <strong>{t`Last error:`}</strong> <LogMessage text={lastError} />
        </p>
      )}
    </>
  );
}

function ControllerFacts({
  controller,
  leader,
  activity,
  uncounted,
}: {
  readonly controller: Controller;
  readonly leader: ControllerInstanceView;
  readonly activity: ControllerActivity | undefined;
  /** Replaces the counts if there are none. */
  readonly uncounted: string;
}) {
  const cluster = useClusterId();
  const filter = `controller:${shortController(controller.name)}`;
  const lease = controller.lease ?? leader.lease;
  const term = lease === leader.lease ? leader.leaseTransitions : undefined;
  return (
    <dl className={styles.facts}>
      <Fact label={t`Queued`}>{keepUnits(queueText(controller))}</Fact>
      <Fact label={t`Runs, last hour`}>
        {activity === undefined ? (
          uncounted
        ) : (
          <>
            <Link href={`${addresses.runs(cluster, filter)}&from=-1h`} prefetch={false}>
              {formatCount(activity.runs)}
              <span className="visually-hidden">{t` runs`}</span>
            </Link>
            {activity.failed === 0 ? null : (
              <>
                {" · "}
                <Link
                  href={`${addresses.runs(cluster, `${filter} outcome:failed outcome:timedOut outcome:blocked`)}&from=-1h`}
                  prefetch={false}
                >
                  {mixed`${formatCount(activity.failed)} failed`}
                </Link>
              </>
            )}
          </>
        )}
      </Fact>
      <Fact label={t`Newest run`}>
        {activity === undefined ? uncounted : <NewestRun activity={activity} />}
      </Fact>
      <Fact label={t`Lease`}>
        {lease === undefined ? t`no election` : <LeaseText lease={lease} term={term} />}
      </Fact>
    </dl>
  );
}

function LeaseText({ lease, term }: { readonly lease: string; readonly term: number | undefined }) {
  const name = <code>{lease}</code>;
  return term === undefined ? name : mixed`${name}, term ${term}`;
}

function NewestRun({ activity }: { readonly activity: ControllerActivity }) {
  return activity.newestAt === undefined ? t`none kept` : <TimeText at={activity.newestAt} />;
}
