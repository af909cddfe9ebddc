import type { Metadata } from "next";
import { RunPage } from "../../../../../features/runs/detail/run-page.tsx";

export const metadata: Metadata = { title: "Run" };

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  return <RunPage id={(await params).id} />;
}
