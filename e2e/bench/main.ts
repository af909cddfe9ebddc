import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT, run } from "../harness/processes.ts";
import { benchBridge } from "./bridge/bridge.ts";
import { benchNodes, benchRoutes } from "./nodes.ts";
import {
  BadOption,
  type BenchOptions,
  readBridgeOptions,
  readMemoryOptions,
  readOptions,
  readServiceOptions,
  readWebOptions,
  USAGE,
} from "./options.ts";
import { benchServices } from "./services.ts";
import { benchMemory } from "./web/memory.ts";
import { benchPages } from "./web/pages.ts";
import { benchWeb } from "./web/web.ts";

/** `npm run bench -- NAME [options]`: runs one measurement; prints it as a table and writes it as JSON into `bench-results/`. */
const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<string>>> = {
  nodes: benchNodes,
  routes: benchRoutes,
  // Our transport and informer against client-node's, on the real API server.
  "kube-transport": ({ choice }) =>
    script("packages/core/bench/kube-transport.ts", "--nodes", String(choice.nodes[0] ?? 500)),
  // The ledger with 1,000,000 runs and bursts of records, on a separate PostgreSQL.
  ledger: () => script("packages/store/bench/ledger.ts"),
  pages: ({ choice }) => benchPages(choice.nodes.at(-1) ?? 5_000),
};

const resultsDir = join(PROJECT_ROOT, "bench-results");
const argv = process.argv.slice(2);
const WITH_OWN_OPTIONS: Readonly<Record<string, () => Promise<string>>> = {
  services: () => benchServices(readServiceOptions(argv, resultsDir)),
  // The baseline's own Go provider in a process, compared with its plug-in in ours.
  bridge: () => benchBridge(readBridgeOptions(argv)),
  web: () => benchWeb(readWebOptions(argv)),
  memory: () => benchMemory(readMemoryOptions(argv)),
};
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
  const [given = ""] = argv;
  const own = WITH_OWN_OPTIONS[given];
  if (own !== undefined) return { name: given, table: await own() };
  const names = [...Object.keys(BENCHES), ...Object.keys(WITH_OWN_OPTIONS)];
  const { name, options } = readOptions(argv, { names, resultsDir });
  return { name, table: (await BENCHES[name]?.(options)) ?? "" };
}

/** Measurements located in the room that they measure. */
function script(file: string, ...options: readonly string[]): Promise<string> {
  const flags = ["--expose-gc", "--import", "tsx"];
  return run(process.execPath, [...flags, join(PROJECT_ROOT, file), ...options]);
}
