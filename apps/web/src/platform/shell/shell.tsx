"use client";
import type { ReactNode } from "react";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { FreshnessBanner } from "../../components/freshness/freshness-banner.tsx";
import { Link } from "../../components/link.tsx";
import { EmptyState } from "../../components/panel-states.tsx";
import { isNotFound } from "../../components/problem.ts";
import { addresses } from "../../components/url/addresses.ts";
import { ActionTray } from "../actions/action-tray.tsx";
import { LazyActionDialogs } from "../actions/lazy-action-dialogs.tsx";
import { ControlBanners } from "../controls/control-banners.tsx";
import { ClockNote } from "../live/clock-note.tsx";
import { ClusterFreshness } from "../live/freshness-provider.tsx";
import { LiveProvider } from "../live/live-provider.tsx";
import { useCluster } from "../live/use-cluster.ts";
import { type SignedIn, ViewerProvider } from "../viewer/viewer-context.tsx";
import { GlobalShortcuts } from "./global-shortcuts.tsx";
import { LazyPalette } from "./lazy-palette.tsx";
import { ModeBanner } from "./mode-banner.tsx";
import { Navigation } from "./navigation.tsx";
import { RouteFocus } from "./route-focus.tsx";
import styles from "./shell.module.css";
import { StatusLine } from "./status-line.tsx";
import { TopBar } from "./top-bar.tsx";
import { useRememberedCluster } from "./use-remembered-cluster.ts";
import { ViewAsBanner } from "./view-as-banner.tsx";

/** The frame of every page of a cluster: bars, navigation, banners, palette, keys and the tray of actions. */
export function Shell({
  cluster,
  viewer,
  children,
}: {
  readonly cluster: string;
  readonly viewer: SignedIn;
  readonly children: ReactNode;
}) {
  useRememberedCluster(cluster);
  return (
    <ViewerProvider viewer={viewer}>
      <LiveProvider cluster={cluster}>
        <ClusterFreshness cluster={cluster}>
          <a className={styles.skip} href="#content">
            Skip to content
          </a>
          <div className={styles.shell}>
            <Frame cluster={cluster}>{children}</Frame>
          </div>
          <RouteFocus />
          <LazyPalette cluster={cluster} />
          <GlobalShortcuts cluster={cluster} />
          <LazyActionDialogs />
        </ClusterFreshness>
      </LiveProvider>
    </ViewerProvider>
  );
}

function Frame({ cluster, children }: { readonly cluster: string; readonly children: ReactNode }) {
  const view = useCluster(cluster);
  const isUnknown = view.isError && isNotFound(view.error);
  const isOld = useIsOld();
  return (
    <>
      <TopBar cluster={cluster} name={isUnknown ? "unknown" : view.data?.name} />
      <StatusLine cluster={view.data} />
      <div className={styles.body} data-old={isOld}>
        <Navigation cluster={cluster} view={view.data} />
        <div className={styles.content}>
          <ViewAsBanner />
          <div role="status">
            <FreshnessBanner className={styles.banner} />
            <ModeBanner cluster={cluster} />
            <ClockNote skewMs={view.skewMs} />
          </div>
          <ControlBanners cluster={cluster} />
          <main id="content" className={styles.main} tabIndex={-1}>
            {isUnknown ? <UnknownCluster /> : children}
          </main>
          <ActionTray cluster={cluster} />
        </div>
      </div>
    </>
  );
}

function UnknownCluster() {
  return (
    <EmptyState title="No controller has reported this cluster">
      The address may be cut short, or the cluster's controllers use another database.{" "}
      <Link href={addresses.clusters()}>Show all clusters</Link>
    </EmptyState>
  );
}
