import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { ActionsPage } from "../../../../features/actions/actions-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Actions` };
}

export default ActionsPage;
