import type { Metadata } from "next";
import { BudgetPage } from "../../../../features/budget/budget-page.tsx";

export const metadata: Metadata = { title: "Budget" };

export default async function Page({ params }: { readonly params: Promise<{ cluster: string }> }) {
  return <BudgetPage cluster={(await params).cluster} />;
}
