import type { ReactNode } from "react";
import { DatabaseDown } from "../../../platform/shell/database-down.tsx";
import { Shell } from "../../../platform/shell/shell.tsx";
import { pageViewer } from "../../../server/sign-in/page-viewer.ts";

export default async function ClusterLayout({
  children,
  params,
}: {
  readonly children: ReactNode;
  readonly params: Promise<{ cluster: string }>;
}) {
  const [requested, { cluster }] = await Promise.all([pageViewer(), params]);
  if (requested.kind === "unreachable") return <DatabaseDown />;
  return (
    <Shell cluster={cluster} viewer={requested.viewer}>
      {children}
    </Shell>
  );
}
