"use client";
import type { ReactNode } from "react";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { FreshnessBanner } from "../../components/freshness/freshness-banner.tsx";
import { ClockNote } from "../../platform/live/clock-note.tsx";
import { ListFreshness } from "../../platform/live/freshness-provider.tsx";
import { FleetShell } from "../../platform/shell/fleet-shell.tsx";
import shellStyles from "../../platform/shell/shell.module.css";
import type { SignedIn } from "../../platform/viewer/viewer-context.tsx";
import styles from "./fleet.module.css";

/** The frame of a page about all clusters, each of which is judged separately. */
export function FleetFrame({
  viewer,
  readAt,
  skewMs = 0,
  children,
}: {
  readonly viewer: SignedIn;
  /** When the page's data was read, by this browser's clock; undefined before the first time. */
  readonly readAt: number | undefined;
  readonly skewMs?: number;
  readonly children: ReactNode;
}) {
  return (
    <ListFreshness readAt={readAt}>
      <FleetShell viewer={viewer}>
        <Content skewMs={skewMs}>{children}</Content>
      </FleetShell>
    </ListFreshness>
  );
}

function Content({ skewMs, children }: { readonly skewMs: number; readonly children: ReactNode }) {
  return (
    <div data-old={useIsOld()}>
      <div role="status">
        <FreshnessBanner className={shellStyles.banner} />
        <ClockNote skewMs={skewMs} />
      </div>
      <main id="content" tabIndex={-1} className={`grid gap-4 from-top ${styles.page}`}>
        {children}
      </main>
    </div>
  );
}
