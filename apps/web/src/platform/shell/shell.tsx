"use client";
import { t } from "@cloudwright/core/model/language/text";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { changePreferences, type Preferences } from "../../components/preferences.ts";
import { isNotFound } from "../../components/problem.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { LazyActionDialogs } from "../actions/dialog/lazy-action-dialogs.tsx";
import { LazyActionTray } from "../actions/tray/lazy-action-tray.tsx";
import { ClusterFreshness } from "../live/freshness-provider.tsx";
import { LiveProvider } from "../live/live-provider.tsx";
import { useCluster } from "../live/use-cluster.ts";
import { type SignedIn, ViewerProvider } from "../viewer/viewer-context.tsx";
import { Banners } from "./banners.tsx";
import { Navigation } from "./navigation.tsx";
import { nodesFirst } from "./nodes-first.ts";
import { LazyPalette } from "./palette/lazy-palette.tsx";
import styles from "./shell.module.css";
import { StatusLine } from "./status-line.tsx";
import { TopBar } from "./top-bar.tsx";

/** The frame of every page of a cluster: bars, navigation, banners, palette, shortcuts and the tray of actions. */
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
            {t`Skip to content`}
          </a>
          <div className={`flex column relative ${styles.shell}`}>
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
      <TopBar cluster={cluster} name={isUnknown ? t`unknown` : view.data?.name} />
      <StatusLine cluster={view.data} />
      <div className={`flex fill shrinks ${styles.body}`} data-old={isOld}>
        <Navigation cluster={cluster} view={view.data} />
        <div className={styles.content}>
          <Banners cluster={cluster} />
          <main id="content" className={`flex shrinks scroll ${styles.main}`} tabIndex={-1}>
            {isUnknown ? <UnknownCluster /> : children}
          </main>
          <LazyActionTray cluster={cluster} />
        </div>
      </div>
    </>
  );
}

function UnknownCluster() {
  return (
    <EmptyState isPage title={t`No controller has reported on this cluster`}>
      {mixed`The address may be incomplete, or the cluster's controllers use another database.
        ${<Link href={addresses.clusters()}>{t`Show all clusters`}</Link>}`}
    </EmptyState>
  );
}

/** A year. */
const KEPT_SECONDS = 31_536_000;

/** Remembers the last cluster in a cookie, so that pages without a cluster can keep its frame. The server reads it. */
function useRememberedCluster(cluster: string): void {
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it; the Cookie Store API is missing over plain HTTP.
    document.cookie = `cloudwright.cluster=${encodeURIComponent(cluster)}; path=/; max-age=${KEPT_SECONDS}; samesite=lax`;
  }, [cluster]);
}

/**
 * When a focused link disappears with its page, moves the focus to the heading of the new page (WCAG 2.4.3), so that a screen reader
 * announces it and the next Tab starts there. What a page, or a user, focuses first stays focused.
 */
function RouteFocus() {
  const pathname = usePathname();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    return focusHeading(document.querySelector("main"));
  }, [pathname]);
  return null;
}

/** A page's heading may arrive with its data. Returns a function that stops waiting for it. */
function focusHeading(main: HTMLElement | null): () => void {
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const appearance = (): boolean => {
    if (!isLost()) return true;
    const heading = main?.querySelector<HTMLElement>("h1");
    if (heading === null || heading === undefined) return false;
    heading.setAttribute("tabindex", "-1");
    heading.focus({ preventScroll: true });
    return true;
  };
  const changes = new MutationObserver(() => {
    if (appearance()) changes.disconnect();
  });
  if (main !== null && !appearance()) changes.observe(main, { childList: true, subtree: true });
  return () => changes.disconnect();
}

const loadHelp = () => import("./shortcuts-help.tsx").then(({ ShortcutsHelp }) => ShortcutsHelp);

const NEXT_DENSITY: Record<Preferences["density"], Preferences["density"]> = {
  normal: "comfortable",
  comfortable: "compact",
  compact: "normal",
};

/** The shortcuts that work on every page. They change nothing but the view. */
function GlobalShortcuts({ cluster }: { readonly cluster: string }) {
  const router = useRouter();
  const { data: view } = useCluster(cluster);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const ShortcutsHelp = useFetched(loadHelp, isHelpOpen || undefined);
  useShortcuts({
    "g o": () => router.push(addresses.overview(cluster)),
    "g n": () => router.push(nodesFirst(cluster, view)),
    "g b": () => router.push(addresses.balancers(cluster)),
    "g t": () => router.push(addresses.routes(cluster)),
    "g v": () => router.push(addresses.volumes(cluster)),
    "g r": () => router.push(addresses.runs(cluster)),
    "g a": () => router.push(addresses.actions(cluster)),
    "g u": () => router.push(addresses.audit(cluster)),
    "g c": () => router.push(addresses.controllers(cluster)),
    "g l": () => router.push(addresses.budget(cluster)),
    "g s": () => router.push(addresses.settings()),
    t: () =>
      changePreferences(({ time }) => ({ time: time === "relative" ? "absolute" : "relative" })),
    d: () => changePreferences(({ density }) => ({ density: NEXT_DENSITY[density] })),
    "?": () => setHelpOpen(true),
  });
  if (ShortcutsHelp === undefined) return null;
  return <ShortcutsHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />;
}
