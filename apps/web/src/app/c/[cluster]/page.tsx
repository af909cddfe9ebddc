import type { Metadata } from "next";
import { OverviewPage } from "../../../features/overview/overview-page.tsx";

export const metadata: Metadata = { title: "Overview" };

export default OverviewPage;
