import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { IncidentsPage } from "../../../../features/incidents/incidents-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Incidents` };
}

export default IncidentsPage;
