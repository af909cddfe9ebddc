import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { IncidentPage } from "../../../../../features/incidents/incident-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Incident` };
}

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  return <IncidentPage id={(await params).id} />;
}
