import type { Metadata } from "next";
import { ChangesPage } from "../../../../features/changes/changes-page.tsx";

export const metadata: Metadata = { title: "Changes" };

export default ChangesPage;
