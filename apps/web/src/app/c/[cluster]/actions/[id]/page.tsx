import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { ActionPage } from "../../../../../features/actions/action-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Action` };
}

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  return <ActionPage id={(await params).id} />;
}
