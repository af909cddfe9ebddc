import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { ControllersPage } from "../../../../features/controllers/controllers-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Controllers` };
}

export default ControllersPage;
