import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { AuditPage } from "../../../../features/audit/audit-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Audit` };
}

export default AuditPage;
