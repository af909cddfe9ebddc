import type { Metadata } from "next";
import { DryRunPage } from "../../../../features/dry-run/dry-run-page.tsx";

export const metadata: Metadata = { title: "Dry run" };

export default DryRunPage;
