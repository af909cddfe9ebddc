import type { Metadata } from "next";
import { BudgetPage } from "../../../../features/budget/budget-page.tsx";

export const metadata: Metadata = { title: "Budget" };

export default BudgetPage;
