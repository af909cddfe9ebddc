"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { EmptyState } from "../../components/panel-states.tsx";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { isNotFound, problemOf } from "../../components/problem.ts";
import { useNow } from "../../components/time/ticker.ts";
import { addresses } from "../../components/url/addresses.ts";
import { ActionDialogs } from "../actions/action-dialogs.tsx";
import { ActionTray } from "../actions/action-tray.tsx";
import { ControlBanners } from "../controls/control-banners.tsx";
import { bannersOf } from "./banners.ts";
import { GlobalShortcuts } from "./global-shortcuts.tsx";
import { LiveProvider } from "./live-provider.tsx";
import { Navigation } from "./navigation.tsx";
import { Palette } from "./palette.tsx";
import { RouteFocus } from "./route-focus.tsx";
import styles from "./shell.module.css";
import { StatusLine } from "./status-line.tsx";
import { TopBar } from "./top-bar.tsx";
import { useCluster } from "./use-cluster.ts";
import { useRememberedCluster } from "./use-remembered-cluster.ts";
import { ViewAsBanner } from "./view-as-banner.tsx";
import { type SignedIn, ViewerProvider } from "./viewer-context.tsx";

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
        <a className={styles.skip} href="#content">
          Skip to content
        </a>
        <div className={styles.shell}>
          <Frame cluster={cluster}>{children}</Frame>
        </div>
        <RouteFocus />
        <Palette cluster={cluster} />
        <GlobalShortcuts cluster={cluster} />
        <ActionDialogs />
      </LiveProvider>
    </ViewerProvider>
  );
}

function Frame({ cluster, children }: { readonly cluster: string; readonly children: ReactNode }) {
  const view = useCluster(cluster);
  const isUnknown = view.isError && isNotFound(view.error);
  const isUnreachable =
    view.isError && ["SERVICE_UNAVAILABLE", "NO_ANSWER"].includes(problemOf(view.error).code);
  return (
    <>
      <TopBar cluster={cluster} name={isUnknown ? "unknown" : view.data?.name} />
      <StatusLine cluster={view.data} asOf={view.dataUpdatedAt} isStale={isUnreachable} />
      <div className={styles.body}>
        <Navigation cluster={cluster} view={view.data} />
        <div className={styles.content}>
          <ViewAsBanner />
          <Banners view={view.data} skewMs={view.skewMs} isUnreachable={isUnreachable} />
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

function Banners({
  view,
  skewMs,
  isUnreachable,
}: {
  readonly view: Parameters<typeof bannersOf>[0];
  readonly skewMs: number;
  readonly isUnreachable: boolean;
}) {
  const now = useNow();
  const banners = bannersOf(view, now - skewMs, isUnreachable);
  return (
    <div role="status" className={styles.banners}>
      {banners.map(({ id, tone, text }) => (
        <p key={id} className={styles.banner} data-tone={tone}>
          {keepUnits(text)}
        </p>
      ))}
      {Math.abs(skewMs) > 2_000 ? (
        <p className={styles.banner} data-tone="unknown">
          This browser's clock differs by {Math.round(Math.abs(skewMs) / 1_000)} s from the
          server's; relative times are off by as much.
        </p>
      ) : null}
    </div>
  );
}
