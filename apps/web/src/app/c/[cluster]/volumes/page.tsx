import type { Metadata } from "next";
import { VolumesPage } from "../../../../features/volumes/volumes-page.tsx";

export const metadata: Metadata = { title: "Volumes" };

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  return <VolumesPage cluster={(await params).cluster} />;
}
