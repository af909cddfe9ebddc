import type { Metadata } from "next";
import { RunsPage } from "../../../../features/runs/runs-page.tsx";

export const metadata: Metadata = { title: "Runs" };

export default RunsPage;
