import type { Metadata } from "next";
import { ControllersPage } from "../../../../features/controllers/controllers-page.tsx";

export const metadata: Metadata = { title: "Controllers" };

export default ControllersPage;
