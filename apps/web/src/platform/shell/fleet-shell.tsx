"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { type SignedIn, ViewerProvider } from "../viewer/viewer-context.tsx";
import { LazyPalette } from "./palette/lazy-palette.tsx";
import shell from "./shell.module.css";
import { FleetBar } from "./top-bar.tsx";

/** The frame of each page that is not about one cluster: the bar, and the palette that its search opens. */
export function FleetShell({
  viewer,
  children,
}: {
  readonly viewer: SignedIn;
  /** Contains a `main` whose ID is `content`. */
  readonly children: ReactNode;
}) {
  return (
    <ViewerProvider viewer={viewer}>
      <a className={shell.skip} href="#content">
        {t`Skip to content`}
      </a>
      <FleetBar />
      {children}
      <LazyPalette cluster={undefined} />
    </ViewerProvider>
  );
}
