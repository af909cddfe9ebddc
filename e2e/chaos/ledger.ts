import { runCloudwright } from "../harness/processes.ts";
import { demand, eventually, same } from "../harness/wait.ts";

interface HistoryRow {
  readonly id: string;
  readonly outcome: string;
  readonly controller: string;
  readonly object: string | { readonly name: string };
}

/**
 * Waits until the ledger tells the whole story of these nodes: each has a run that changed it (or was interrupted in
 * doing so), no run is still open and none is there twice. Answers how many runs it holds.
 */
export async function ledgerComplete(
  databaseUrl: string,
  names: readonly string[],
): Promise<number> {
  return eventually(
    async () => {
      const rows = await history(databaseUrl);
      same(new Set(rows.map(({ id }) => id)).size, rows.length, "the number of distinct runs");
      const open = rows.filter(({ outcome }) => outcome === "running");
      same(open.length, 0, "runs without an end");
      const writing = rows.filter(
        ({ outcome }) => outcome === "changed" || outcome === "interrupted",
      );
      const told = new Set(writing.map(nameOf));
      const missing = names.filter((name) => !told.has(name));
      demand(
        missing.length === 0,
        `the ledger lacks a run of ${missing.slice(0, 5).join(", ")} (${missing.length} in all)`,
      );
      return rows.length;
    },
    { withinMs: 60_000 },
  );
}

async function history(databaseUrl: string): Promise<HistoryRow[]> {
  const args = ["history", "--database-url", databaseUrl, "--output", "json", "--limit", "100000"];
  return JSON.parse(await runCloudwright(args)) as HistoryRow[];
}

function nameOf({ object }: HistoryRow): string {
  const name = typeof object === "string" ? object : object.name;
  return name.split("/").at(-1) ?? name;
}
