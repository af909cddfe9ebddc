import type { Metadata } from "next";
import { NodePage } from "../../../../../features/nodes/detail/node-page.tsx";

export async function generateMetadata({
  params,
}: {
  readonly params: Promise<{ name: string }>;
}): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) };
}

export default async function Page({
  params,
}: {
  readonly params: Promise<{ cluster: string; name: string }>;
}) {
  const { cluster, name } = await params;
  return <NodePage cluster={cluster} name={decodeURIComponent(name)} />;
}
