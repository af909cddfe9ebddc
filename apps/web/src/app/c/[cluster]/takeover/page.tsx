import type { Metadata } from "next";
import { TakeoverPage } from "../../../../features/takeover/takeover-page.tsx";

export const metadata: Metadata = { title: "Takeover" };

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  return <TakeoverPage cluster={(await params).cluster} />;
}
