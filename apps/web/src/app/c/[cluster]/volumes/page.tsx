import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { VolumesPage } from "../../../../features/volumes/volumes-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Volumes` };
}

export default VolumesPage;
