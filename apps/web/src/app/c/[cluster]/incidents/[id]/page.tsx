import type { Metadata } from "next";
import { IncidentPage } from "../../../../../features/incidents/incident-page.tsx";

export const metadata: Metadata = { title: "Incident" };

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  return <IncidentPage id={(await params).id} />;
}
