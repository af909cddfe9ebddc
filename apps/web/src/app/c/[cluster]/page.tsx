import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { OverviewPage } from "../../../features/overview/overview-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Overview` };
}

export default OverviewPage;
