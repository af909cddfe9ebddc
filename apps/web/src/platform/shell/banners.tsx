"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../../components/button/button.tsx";
import { useFreshnessMessages } from "../../components/freshness/freshness.ts";
import { FreshnessBanner } from "../../components/freshness/freshness-banner.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { ControlBanners, useControlBannerCount } from "../controls/control-banners.tsx";
import { ClockNote, isClockWrong } from "../live/clock-note.tsx";
import { useCluster } from "../live/use-cluster.ts";
import { viewAs } from "../viewer/view-as.ts";
import { useViewer } from "../viewer/viewer-context.tsx";
import styles from "./shell.module.css";

/** The banners that concern every page, in one place above it; if there are several, with their number. */
export function Banners({ cluster }: { readonly cluster: string }) {
  const { skewMs } = useCluster(cluster);
  const count = useBannerCount(cluster);
  return (
    <section aria-label={count === 0 ? undefined : t`Notices`}>
      {count > 1 ? <p className={styles.bannerCount}>{t`${count} notices`}</p> : null}
      <ViewAsBanner />
      <div role="status">
        <FreshnessBanner className={styles.banner} />
        <ModeBanner cluster={cluster} />
        <ClockNote skewMs={skewMs} />
      </div>
      <ControlBanners cluster={cluster} />
    </section>
  );
}

function useBannerCount(cluster: string): number {
  const { skewMs } = useCluster(cluster);
  const { banner } = useFreshnessMessages();
  const shown = [
    useIsOtherRole(),
    banner !== undefined,
    useIsDryRun(cluster),
    isClockWrong(skewMs),
  ];
  return shown.filter(Boolean).length + useControlBannerCount(cluster);
}

function useIsDryRun(cluster: string): boolean {
  const { data } = useCluster(cluster);
  return data?.leader?.dryRun === true;
}

/** Shown on every page while the leading controller writes nothing. */
function ModeBanner({ cluster }: { readonly cluster: string }) {
  if (!useIsDryRun(cluster)) return null;
  return (
    <p className={styles.banner} data-tone="held">
      {t`This controller is in dry run: it plans and records, and writes nothing.`}
    </p>
  );
}

function useIsOtherRole(): boolean {
  const { role, ownRole } = useViewer();
  return role !== ownRole;
}

/** Shown on every page while a user previews the view of another role. */
function ViewAsBanner() {
  const { role, ownRole } = useViewer();
  if (!useIsOtherRole()) return null;
  return (
    <div role="status" className={styles.banner} data-tone="held" data-action="true">
      <span>
        {mixed`You are viewing the pages with the role ${role}. You are still ${ownRole}.`}
      </span>
      <Button onClick={() => viewAs(undefined)}>{t`Back to my own view`}</Button>
    </div>
  );
}
