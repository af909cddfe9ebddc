import type { Metadata } from "next";
import { ActionPage } from "../../../../../features/actions/action-page.tsx";

export const metadata: Metadata = { title: "Action" };

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  return <ActionPage id={(await params).id} />;
}
