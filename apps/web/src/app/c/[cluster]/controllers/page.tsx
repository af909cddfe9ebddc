import type { Metadata } from "next";
import { ControllersPage } from "../../../../features/controllers/controllers-page.tsx";

export const metadata: Metadata = { title: "Controllers" };

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  return <ControllersPage cluster={(await params).cluster} />;
}
