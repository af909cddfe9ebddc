import type { ListInput, NodeSort, NodesFilter, Page, RunsFilter } from "../src/views/views.ts";
import { CLUSTER } from "./records.ts";

export function nodesInput(
  filter: NodesFilter = {},
  over: Partial<ListInput<NodesFilter, NodeSort>> = {},
): ListInput<NodesFilter, NodeSort> {
  return { cluster: CLUSTER, filter, sort: { by: "name", descending: false }, limit: 50, ...over };
}

export function runsInput(filter: RunsFilter = {}): ListInput<RunsFilter, "started"> {
  return { cluster: CLUSTER, filter, sort: { by: "started", descending: true }, limit: 50 };
}

/** Returns the rows of all pages, one after the other. */
export async function allPages<Row>(
  load: (cursor: string | undefined) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
}
