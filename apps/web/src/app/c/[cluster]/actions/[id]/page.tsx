import type { Metadata } from "next";
import { ActionPage } from "../../../../../features/actions/action-page.tsx";

export const metadata: Metadata = { title: "Action" };

export default async function Page({
  params,
}: {
  readonly params: Promise<{ cluster: string; id: string }>;
}) {
  const { cluster, id } = await params;
  return <ActionPage cluster={cluster} id={id} />;
}
