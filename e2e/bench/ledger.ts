import { join } from "node:path";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

/** The ledger with 1,000,000 runs and bursts of records; measured inside the room that owns it, on a PostgreSQL of its own. */
export async function benchLedger(): Promise<string> {
  const script = join(PROJECT_ROOT, "packages/store/bench/ledger.ts");
  return run(process.execPath, ["--import", "tsx", script]);
}
