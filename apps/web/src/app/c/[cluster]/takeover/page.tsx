import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { TakeoverPage } from "../../../../features/takeover/takeover-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Takeover` };
}

export default TakeoverPage;
