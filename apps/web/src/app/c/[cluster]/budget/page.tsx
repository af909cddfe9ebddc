import { t } from "@cloudwright/core/model/language/text";
import type { Metadata } from "next";
import { BudgetPage } from "../../../../features/budget/budget-page.tsx";

export function generateMetadata(): Metadata {
  return { title: t`Budget` };
}

export default BudgetPage;
