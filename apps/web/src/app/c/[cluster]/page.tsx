import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { OverviewPage } from "../../../features/overview/overview-page.tsx";
import { titleInCluster } from "../../../server/cluster-title.ts";

interface Given {
  readonly params: Promise<{ cluster: string }>;
}

export async function generateMetadata({ params }: Given): Promise<Metadata> {
  return { title: await titleInCluster((await params).cluster, t`Overview`) };
}

export default OverviewPage;
