import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { RunsPage } from "../../../../features/runs/runs-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Runs` };
}

export default RunsPage;
