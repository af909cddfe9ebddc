import type { Metadata } from "next";
import { OverviewPage } from "../../../features/overview/overview-page.tsx";

export const metadata: Metadata = { title: "Overview" };

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  return <OverviewPage cluster={(await params).cluster} />;
}
