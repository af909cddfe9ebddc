import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { ComparePage } from "../../features/clusters/compare/compare-page.tsx";
import { DatabaseDown } from "../../platform/shell/database-down.tsx";
import { pageViewer } from "../../server/sign-in/page-viewer.ts";

export function generateMetadata(): Metadata {
  return { title: t`Versions and flags of all clusters` };
}

export default async function Page() {
  const requested = await pageViewer();
  if (requested.kind === "unreachable") return <DatabaseDown />;
  return <ComparePage viewer={requested.viewer} />;
}
