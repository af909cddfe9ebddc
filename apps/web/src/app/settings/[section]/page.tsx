import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SECTION_LABELS, sectionOf } from "../../../features/settings/sections.ts";
import { SettingsPage } from "../../../features/settings/settings-page.tsx";
import { DatabaseDown } from "../../../platform/shell/database-down.tsx";
import { recentCluster } from "../../../server/recent-cluster.ts";
import { pageViewer } from "../../../server/sign-in/page-viewer.ts";

interface Given {
  readonly params: Promise<{ section: string }>;
}

export async function generateMetadata({ params }: Given): Promise<Metadata> {
  const section = sectionOf((await params).section);
  return { title: section === undefined ? t`Settings` : t`${SECTION_LABELS[section]}, settings` };
}

export default async function Page({ params }: Given) {
  const section = sectionOf((await params).section);
  if (section === undefined) notFound();
  const requested = await pageViewer();
  if (requested.kind === "unreachable") return <DatabaseDown />;
  return <SettingsPage section={section} cluster={await recentCluster(requested.viewer)} />;
}
