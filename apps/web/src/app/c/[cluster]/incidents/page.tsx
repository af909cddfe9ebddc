import type { Metadata } from "next";
import { IncidentsPage } from "../../../../features/incidents/incidents-page.tsx";

export const metadata: Metadata = { title: "Incidents" };

export default IncidentsPage;
