import type { Database } from "@cloudwright/store/database/database";
import { budget } from "@cloudwright/store/queries/budget/budget";
import { clusterById } from "@cloudwright/store/queries/overview/clusters";
import type { BudgetView } from "@cloudwright/store/views/budget";
import { z } from "zod";
import type { Field } from "../../components/table/field.ts";
import {
  COST_FIELDS,
  costRows,
  LOOKUP_FIELDS,
  OPERATION_FIELDS,
  type OperationRow,
  QUOTA_FIELDS,
  quotaRows,
  WAIT_FIELDS,
  WAITER_FIELDS,
} from "../../features/budget/budget-fields.ts";
import { budgetFilter, clusterInput } from "../routers/inputs.ts";
import { AS_SHOWN, asShown, list, type OpenList } from "./open-list.ts";

/** The tables of the Budget page, each for the time range shown there. */
export const BUDGET_LISTS: Readonly<Record<string, OpenList>> = {
  budget: list({
    input: clusterInput.extend({
      filter: budgetFilter,
      sort: z.object({ by: z.enum(["calls"]), descending: z.literal(true) }),
    }),
    usual: { by: "calls", descending: true },
    fields: OPERATION_FIELDS,
    pages: (db, { cluster, filter }) => operationPages(db, cluster, filter),
  }),
  "budget-waits": budgetTable(WAIT_FIELDS, ({ cloud }) => cloud.priorities),
  "budget-waiters": budgetTable(WAITER_FIELDS, ({ waiters }) => waiters),
  "budget-costs": budgetTable(COST_FIELDS, costRows),
  "budget-lookups": budgetTable(LOOKUP_FIELDS, ({ cloud }) => cloud.lookups),
  /** The leader's last report, whatever the time range. */
  quotas: list({
    input: clusterInput.extend({ filter: z.object({}), sort: asShown }),
    usual: AS_SHOWN,
    fields: QUOTA_FIELDS,
    async *pages(db, { cluster }) {
      const { leader } = await clusterById(db, cluster);
      yield quotaRows(leader?.cloud?.quotas ?? []);
    },
  }),
};

type BudgetFilter = z.output<typeof budgetFilter>;

function budgetTable<Row>(
  fields: readonly Field<Row>[],
  rowsOf: (view: BudgetView) => readonly Row[],
): OpenList {
  return list({
    input: clusterInput.extend({ filter: budgetFilter, sort: asShown }),
    usual: AS_SHOWN,
    fields,
    async *pages(db, { cluster, filter }) {
      yield rowsOf(await budget(db, { cluster, ...filter, now: Date.now() }));
    },
  });
}

async function* operationPages(
  db: Database,
  cluster: string,
  filter: BudgetFilter,
): AsyncGenerator<readonly OperationRow[]> {
  const { cloud, kube, minutesKnown } = await budget(db, { cluster, ...filter, now: Date.now() });
  const minutes = Math.max(1, minutesKnown);
  yield cloud.operations.map((row) => ({ ...row, api: "Cloud", minutes }));
  yield kube.operations.map((row) => ({ ...row, api: "Kubernetes API", minutes }));
}
