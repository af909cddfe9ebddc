import type { BudgetView } from "@cloudwright/store/views/budget";
import { screen, within } from "@testing-library/react";
import { cluster, instance } from "../../../testing/cluster-view.ts";
import { type Answers, renderPage } from "../../../testing/render-page.tsx";
import { BudgetPage } from "../budget-page.tsx";
import { budgetView } from "./budget-view.ts";

export const CLOUD = {
  ...{ callsLastMinute: 42, throttledLastMinute: 0, allowedPerSecond: 5 },
  ...{ resumesAt: undefined, failingSince: undefined, closedSince: undefined },
};

export interface Shown {
  readonly query?: string;
  readonly leader?: ReturnType<typeof instance> | undefined;
  readonly answers?: Answers;
}

export function show(
  view: Partial<BudgetView> = {},
  { query = "", leader = instance({ cloud: CLOUD }), answers = {} }: Shown = {},
) {
  return renderPage(<BudgetPage />, {
    address: `/c/c-1/budget${query}`,
    answers: {
      "clusters.byId": () => cluster({ leader }),
      "budget.byCluster": () => budgetView(view),
      ...answers,
    },
  });
}

export const cells = async (table: string) =>
  within(await screen.findByRole("table", { name: table }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));
