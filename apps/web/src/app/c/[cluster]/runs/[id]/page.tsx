import type { Metadata } from "next";
import { RunPage } from "../../../../../features/runs/detail/run-page.tsx";

export const metadata: Metadata = { title: "Run" };

export default async function Page({
  params,
}: {
  readonly params: Promise<{ cluster: string; id: string }>;
}) {
  const { cluster, id } = await params;
  return <RunPage cluster={cluster} id={id} />;
}
