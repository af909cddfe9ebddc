"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { type GuardStatus, heldCount, type Pause } from "@cloudwright/core/model/controls";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import { mixed } from "../../components/language/mixed-text.ts";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { SinceText } from "../../components/time/time-text.tsx";
import { ActionButton } from "../actions/action-button.tsx";
import { controllerAction, guardRelease } from "../actions/action-choice.ts";
import { useCluster } from "../live/use-cluster.ts";
import styles from "./controls.module.css";
import { Countdown, endsSoon, useServerNow } from "./countdown.tsx";

/** On every page: what users have paused and what the deletion guard holds back, each with the way to end it. */
export function ControlBanners({ cluster }: { readonly cluster: string }) {
  const { data } = useCluster(cluster);
  const { now, guard, held, pauses } = useControls(cluster);
  const announced = [
    ...pauses.map(({ controller }) => t`${controllerOf(controller).label} is paused.`),
    ...(held.length === 0 ? [] : [t`The deletion guard holds deletions.`]),
  ];
  return (
    <>
      {/* Separate from the banners, whose countdown would be read out every second. */}
      <p role="status" className="visually-hidden">
        {announced.join(" ")}
      </p>
      {pauses.map((pause) => (
        <PauseBanner
          key={pause.controller}
          cluster={cluster}
          pause={pause}
          now={now}
          waiting={queueOf(pause.controller, data?.leader?.controllers ?? [])}
        />
      ))}
      {guard === undefined || held.length === 0 ? null : (
        <GuardBanner cluster={cluster} guard={guard} />
      )}
    </>
  );
}

/** Returns how many of these banners there are. */
export function useControlBannerCount(cluster: string): number {
  const { held, pauses } = useControls(cluster);
  return pauses.length + (held.length === 0 ? 0 : 1);
}

function useControls(cluster: string) {
  const { data, skewMs } = useCluster(cluster);
  const now = useServerNow(skewMs);
  const { guard, pauses = [] } = data?.leader?.controls ?? {};
  const held = guard?.held ?? [];
  return { now, guard, held, pauses: pauses.filter(({ until }) => until > now) };
}

function queueOf(
  controller: string,
  controllers: readonly { readonly name: string; readonly queueDepth: number }[],
): number {
  return controllers.find(({ name }) => name === controller)?.queueDepth ?? 0;
}

function PauseBanner({
  cluster,
  pause,
  now,
  waiting,
}: {
  readonly cluster: string;
  readonly pause: Pause;
  readonly now: number;
  readonly waiting: number;
}) {
  const { controller, by, why, until } = pause;
  const { label } = controllerOf(controller);
  return (
    <section
      className={`flex centred gap-2-3 line-below ${styles.banner}`}
      aria-label={t`${label} is paused`}
    >
      <StatusIcon status={STATE_PRESENTATION.held} />
      <p className={styles.text}>
        {mixed`${<strong>{t`${label} is paused`}</strong>} by ${by}
          ${<Countdown until={until} now={now} />}: “${why}”.`}{" "}
        {waiting === 0 ? t`Nothing is waiting.` : t`${waiting} waiting.`}
        {endsSoon(until, now) ? ` ${t`It then resumes automatically.`}` : ""}
      </p>
      <span className={`buttons ${styles.buttons}`}>
        <ActionButton
          choice={{ ...controllerAction(cluster, controller, "pause"), isExtension: true }}
          of={t`the pause of ${label}`}
        />
        <ActionButton choice={controllerAction(cluster, controller, "resume")} of={label} />
      </span>
    </section>
  );
}

function GuardBanner({
  cluster,
  guard,
}: {
  readonly cluster: string;
  readonly guard: GuardStatus;
}) {
  const { held, deleted, limit, windowMs } = guard;
  const [oldest] = held;
  const count = heldCount(guard);
  const span = keepUnits(formatDuration(windowMs));
  const since = oldest === undefined ? null : <SinceText at={oldest.since} />;
  return (
    <section
      className={`flex centred gap-2-3 line-below ${styles.banner}`}
      data-tone="stuck"
      aria-label={t`The deletion guard holds`}
    >
      <StatusIcon status={STATE_PRESENTATION.held} />
      <p className={styles.text}>
        <strong>{t`Held: deletion guard.`}</strong>{" "}
        {count === 1
          ? mixed`${deleted} of at most ${limit} nodes were deleted within ${span}; 1 deletion is
              waiting for an admin, the oldest for ${since}.`
          : mixed`${deleted} of at most ${limit} nodes were deleted within ${span}; ${formatCount(count)}
              deletions are waiting for an admin, the oldest for ${since}.`}
      </p>
      <span className={`buttons ${styles.buttons}`}>
        <ActionButton choice={guardRelease(cluster, held)} of={t`the held deletions`} />
      </span>
    </section>
  );
}
