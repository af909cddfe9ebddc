import type { Metadata } from "next";
import { NodePage } from "../../../../../features/nodes/detail/node-page.tsx";

interface Props {
  readonly params: Promise<{ name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodeURIComponent((await params).name) };
}

export default async function Page({ params }: Props) {
  return <NodePage name={decodeURIComponent((await params).name)} />;
}
