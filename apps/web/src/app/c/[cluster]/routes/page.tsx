import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { RoutesPage } from "../../../../features/routes/routes-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Routes` };
}

export default RoutesPage;
