import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { RunPage } from "../../../../../features/runs/detail/run-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Run` };
}

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  return <RunPage id={(await params).id} />;
}
