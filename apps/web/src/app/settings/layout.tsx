import type { ReactNode } from "react";
import { SettingsFrame } from "../../features/settings/settings-frame.tsx";
import { DatabaseDown } from "../../platform/shell/database-down.tsx";
import { Shell } from "../../platform/shell/shell.tsx";
import { recentCluster } from "../../server/recent-cluster.ts";
import { pageViewer } from "../../server/sign-in/page-viewer.ts";

export default async function SettingsLayout({ children }: { readonly children: ReactNode }) {
  const requested = await pageViewer();
  if (requested.kind === "unreachable") return <DatabaseDown />;
  const cluster = await recentCluster(requested.viewer);
  if (cluster === undefined) {
    return <SettingsFrame viewer={requested.viewer}>{children}</SettingsFrame>;
  }
  return (
    <Shell cluster={cluster} viewer={requested.viewer}>
      {children}
    </Shell>
  );
}
