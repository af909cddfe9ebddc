import type { Metadata } from "next";
import { NodesPage } from "../../../../features/nodes/nodes-page.tsx";

export const metadata: Metadata = { title: "Nodes" };

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  return <NodesPage cluster={(await params).cluster} />;
}
