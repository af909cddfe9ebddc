"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { FreshnessBanner } from "../../components/freshness/freshness-banner.tsx";
import { ClockNote } from "../../platform/live/clock-note.tsx";
import { ListFreshness } from "../../platform/live/freshness-provider.tsx";
import { LazyPalette } from "../../platform/shell/palette/lazy-palette.tsx";
import shell from "../../platform/shell/shell.module.css";
import { FleetBar } from "../../platform/shell/top-bar.tsx";
import { type SignedIn, ViewerProvider } from "../../platform/viewer/viewer-context.tsx";
import styles from "./fleet.module.css";

/** The frame of a page that is about all clusters: each of those is judged by itself. */
export function FleetFrame({
  viewer,
  readAt,
  skewMs = 0,
  children,
}: {
  readonly viewer: SignedIn;
  /** When what the page shows was read, by this browser's clock; undefined before the first time. */
  readonly readAt: number | undefined;
  readonly skewMs?: number;
  readonly children: ReactNode;
}) {
  return (
    <ViewerProvider viewer={viewer}>
      <ListFreshness readAt={readAt}>
        <a className={shell.skip} href="#content">
          {t`Skip to content`}
        </a>
        <FleetBar />
        <Content skewMs={skewMs}>{children}</Content>
        <LazyPalette cluster={undefined} />
      </ListFreshness>
    </ViewerProvider>
  );
}

function Content({ skewMs, children }: { readonly skewMs: number; readonly children: ReactNode }) {
  return (
    <div data-old={useIsOld()}>
      <div role="status">
        <FreshnessBanner className={shell.banner} />
        <ClockNote skewMs={skewMs} />
      </div>
      <main id="content" tabIndex={-1} className={`grid gap-4 from-top ${styles.page}`}>
        {children}
      </main>
    </div>
  );
}
