import type { Metadata } from "next";
import { RoutesPage } from "../../../../features/routes/routes-page.tsx";

export const metadata: Metadata = { title: "Routes" };

export default RoutesPage;
