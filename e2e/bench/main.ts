import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../harness/processes.ts";
import { benchKubeTransport } from "./kube-transport.ts";
import { benchLedger } from "./ledger.ts";
import { benchNodes, benchRoutes } from "./nodes.ts";
import { BadOption, type BenchOptions, readOptions, USAGE } from "./options.ts";
import { benchPages } from "./pages.ts";
import { readServiceOptions } from "./service-options.ts";
import { benchServices } from "./services.ts";

/** `npm run bench -- NAME [options]`: one measurement, as a table on stdout and as JSON in `bench-results/`. */
const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<string>>> = {
  nodes: benchNodes,
  routes: benchRoutes,
  "kube-transport": ({ choice }) => benchKubeTransport(choice.nodes[0] ?? 500),
  ledger: benchLedger,
  pages: ({ choice }) => benchPages(choice.nodes.at(-1) ?? 5_000),
};

const resultsDir = join(PROJECT_ROOT, "bench-results");
const argv = process.argv.slice(2);
try {
  mkdirSync(resultsDir, { recursive: true });
  const { name, table } = await bench();
  writeFileSync(join(resultsDir, `${name}.md`), `${table}\n`);
  console.log(table);
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  console.error(`${error.message}\n${USAGE}`);
  process.exitCode = 2;
}

async function bench(): Promise<{ readonly name: string; readonly table: string }> {
  if (argv[0] === "services")
    return { name: "services", table: await benchServices(readServiceOptions(argv, resultsDir)) };
  const names = [...Object.keys(BENCHES), "services"];
  const { name, options } = readOptions(argv, { names, resultsDir });
  return { name, table: (await BENCHES[name]?.(options)) ?? "" };
}
