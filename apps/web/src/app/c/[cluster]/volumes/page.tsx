import type { Metadata } from "next";
import { VolumesPage } from "../../../../features/volumes/volumes-page.tsx";

export const metadata: Metadata = { title: "Volumes" };

export default VolumesPage;
