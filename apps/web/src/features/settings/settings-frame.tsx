"use client";
import type { ReactNode } from "react";
import { FleetShell } from "../../platform/shell/fleet-shell.tsx";
import type { SignedIn } from "../../platform/viewer/viewer-context.tsx";

/** The settings before any cluster has reported: users can be added while the first controller is being set up. */
export function SettingsFrame({
  viewer,
  children,
}: {
  readonly viewer: SignedIn;
  readonly children: ReactNode;
}) {
  return (
    <FleetShell viewer={viewer}>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </FleetShell>
  );
}
