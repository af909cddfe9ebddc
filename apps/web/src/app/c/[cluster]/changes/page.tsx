import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { ChangesPage } from "../../../../features/changes/changes-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Changes` };
}

export default ChangesPage;
