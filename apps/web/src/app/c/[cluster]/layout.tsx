import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DatabaseDown } from "../../../platform/shell/database-down.tsx";
import { Shell } from "../../../platform/shell/shell.tsx";
import { clusterTitles } from "../../../server/cluster-title.ts";
import { pageViewer } from "../../../server/sign-in/page-viewer.ts";

interface Given {
  readonly children: ReactNode;
  readonly params: Promise<{ cluster: string }>;
}

export async function generateMetadata({ params }: Pick<Given, "params">): Promise<Metadata> {
  return { title: await clusterTitles((await params).cluster) };
}

export default async function ClusterLayout({ children, params }: Given) {
  const [requested, { cluster }] = await Promise.all([pageViewer(), params]);
  if (requested.kind === "unreachable") return <DatabaseDown />;
  return (
    <Shell cluster={cluster} viewer={requested.viewer}>
      {children}
    </Shell>
  );
}
