import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { BatchPage } from "../../../../../../features/actions/batch-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Actions requested together` };
}

export default async function Page({ params }: { readonly params: Promise<{ batch: string }> }) {
  return <BatchPage batch={(await params).batch} />;
}
