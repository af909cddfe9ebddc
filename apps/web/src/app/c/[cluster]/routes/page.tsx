import type { Metadata } from "next";
import { RoutesPage } from "../../../../features/routes/routes-page.tsx";

export const metadata: Metadata = { title: "Routes" };

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  return <RoutesPage cluster={(await params).cluster} />;
}
