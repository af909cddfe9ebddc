import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../harness/processes.ts";
import { benchKubeTransport } from "./kube-transport.ts";
import { benchLedger } from "./ledger.ts";
import { benchNodes } from "./nodes.ts";
import { BadOption, type BenchOptions, readOptions, USAGE } from "./options.ts";
import { benchPages } from "./pages.ts";

/** `npm run bench -- NAME [options]`: one measurement, as a table on stdout and as JSON in `bench-results/`. */
const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<string>>> = {
  nodes: benchNodes,
  "kube-transport": ({ choice }) => benchKubeTransport(choice.nodes[0] ?? 500),
  ledger: benchLedger,
  pages: ({ choice }) => benchPages(choice.nodes.at(-1) ?? 5_000),
};

const resultsDir = join(PROJECT_ROOT, "bench-results");
try {
  const { name, options } = readOptions(process.argv.slice(2), {
    names: Object.keys(BENCHES),
    resultsDir,
  });
  mkdirSync(resultsDir, { recursive: true });
  const table = (await BENCHES[name]?.(options)) ?? "";
  writeFileSync(join(resultsDir, `${name}.md`), `${table}\n`);
  console.log(table);
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = 2;
}
