import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_ROOT } from "../harness/processes.ts";
import { benchKubeTransport } from "./kube-transport.ts";
import { benchLedger } from "./ledger.ts";
import { benchNodes } from "./nodes.ts";

/** `npm run bench -- NAME [options]`: one measurement, as a table on stdout and as JSON in `bench-results/`. */
const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<string>>> = {
  nodes: benchNodes,
  "kube-transport": benchKubeTransport,
  ledger: benchLedger,
};

export interface BenchOptions {
  readonly nodes: readonly number[];
  readonly profiles: readonly string[];
  /** Where raw reports go. */
  readonly resultsDir: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: "string" },
    profile: { type: "string" },
  },
});
const bench = BENCHES[positionals[0] ?? ""];
if (bench === undefined) {
  console.error(
    `usage: npm run bench -- ${Object.keys(BENCHES).join("|")} [--nodes 500,5000] [--profile default,tuned]`,
  );
  process.exitCode = 2;
} else {
  const resultsDir = join(PROJECT_ROOT, "bench-results");
  mkdirSync(resultsDir, { recursive: true });
  const table = await bench({
    nodes: (values.nodes ?? "500").split(",").map(Number),
    profiles: (values.profile ?? "default").split(","),
    resultsDir,
  });
  writeFileSync(join(resultsDir, `${positionals[0]}.md`), table);
  console.log(table);
}
