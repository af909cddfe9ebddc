import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { DryRunPage } from "../../../../features/dry-run/dry-run-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Dry run` };
}

export default DryRunPage;
