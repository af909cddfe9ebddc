import type { Metadata } from "next";
import { ActionsPage } from "../../../../features/actions/actions-page.tsx";

export const metadata: Metadata = { title: "Actions" };

export default ActionsPage;
