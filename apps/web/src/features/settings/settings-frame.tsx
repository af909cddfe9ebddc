"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { LazyPalette } from "../../platform/shell/palette/lazy-palette.tsx";
import shell from "../../platform/shell/shell.module.css";
import { FleetBar } from "../../platform/shell/top-bar.tsx";
import { type SignedIn, ViewerProvider } from "../../platform/viewer/viewer-context.tsx";

/** The settings before any cluster has reported: users can be added while the first controller is being set up. */
export function SettingsFrame({
  viewer,
  children,
}: {
  readonly viewer: SignedIn;
  readonly children: ReactNode;
}) {
  return (
    <ViewerProvider viewer={viewer}>
      <a className={shell.skip} href="#content">
        {t`Skip to content`}
      </a>
      <FleetBar />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <LazyPalette cluster={undefined} />
    </ViewerProvider>
  );
}
