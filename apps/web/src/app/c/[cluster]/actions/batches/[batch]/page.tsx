import type { Metadata } from "next";
import { BatchPage } from "../../../../../../features/actions/batch-page.tsx";

export const metadata: Metadata = { title: "Actions requested together" };

export default async function Page({ params }: { readonly params: Promise<{ batch: string }> }) {
  return <BatchPage batch={(await params).batch} />;
}
