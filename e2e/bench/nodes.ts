import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { PROJECT_ROOT, run } from "../harness/processes.ts";
import { baselineFolder, measure, type Report } from "./baseline.ts";
import type { BenchOptions } from "./main.ts";

/** Initialising nodes on the real API server: upstream and Cloudwright in one batch, as a Markdown table. */
export async function benchNodes({ nodes, profiles, resultsDir }: BenchOptions): Promise<string> {
  baselineFolder();
  const controller = await controllerCommand();
  const rows: Row[] = [];
  for (const count of nodes) {
    for (const profile of profiles) {
      for (const who of ["upstream", "cloudwright"] as const) {
        const args = ["--nodes", String(count), "--profile", profile];
        const report = await measure(args, who === "upstream" ? undefined : controller);
        writeFileSync(
          join(resultsDir, `nodes-${count}-${profile}-${who}.json`),
          JSON.stringify(report.raw, null, 2),
        );
        rows.push({ count, profile, who, report });
      }
    }
  }
  return table(rows);
}

interface Row {
  readonly count: number;
  readonly profile: string;
  readonly who: "upstream" | "cloudwright";
  readonly report: Report;
}

const COLUMNS = [
  ["all initialised, s", "seconds"],
  ["one node p50, s", "nodeWaitP50"],
  ["one node p99, s", "nodeWaitP99"],
  ["cloud calls a node", "cloudCallsPerItem"],
  ["API requests a node", "apiRequestsPerItem"],
  ["node writes a node", "nodeWritesPerItem"],
  ["CPU s", "cpuSeconds"],
  ["RSS peak, MiB", "rssPeakMiB"],
  ["load a core", "loadPerCore"],
] as const;

function table(rows: readonly Row[]): string {
  const head = ["nodes", "profile", "who", ...COLUMNS.map(([title]) => title)];
  const lines = rows.map(({ count, profile, who, report }) => [
    String(count),
    profile,
    who,
    ...COLUMNS.map(([, key]) => withRatio(rows, { count, profile, who, report }, key)),
  ]);
  return [head, head.map(() => "---"), ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** Ours is printed with its ratio to upstream's of the same batch. */
function withRatio(rows: readonly Row[], row: Row, key: string): string {
  const value = row.report.numbers[key];
  if (value === undefined) return "—";
  if (row.who === "upstream") return String(value);
  const upstream = rows.find(
    ({ who, count, profile }) =>
      who === "upstream" && count === row.count && profile === row.profile,
  );
  const theirs = upstream?.report.numbers[key];
  return theirs === undefined || theirs === 0
    ? String(value)
    : `${value} (${(value / theirs).toFixed(2)} ×)`;
}

/** The command that the baseline runs for us: the shipped one, with the provider for its cloud as an outside plug-in. */
async function controllerCommand(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bench-"));
  const plugin = join(dir, "cloudwright-provider-baseline.mjs");
  await build({
    entryPoints: [join(PROJECT_ROOT, "e2e/plugins/baseline/plugin.ts")],
    outfile: plugin,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    banner: {
      js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);",
    },
  });
  const command = join(PROJECT_ROOT, "apps/controller/bin/cloudwright.mjs");
  await run(process.execPath, [command, "--version"]);
  const script = join(dir, "controller.sh");
  writeFileSync(script, launcher(command, plugin, dir), { mode: 0o755 });
  return script;
}

function launcher(command: string, plugin: string, dir: string): string {
  const ledger = process.env.BENCH_DATABASE_URL;
  return `#!/bin/sh
tuned=
if [ "$BENCH_PROFILE" = tuned ]; then
  tuned="--kube-api-qps=1000 --kube-api-burst=2000 --concurrent-node-syncs=32"
fi
exec ${process.execPath} ${command} controller --kubeconfig="$KUBECONFIG" --cloud-provider=${plugin} \\
  --configure-cloud-routes=false --secure-port=0 --spool-dir="$(mktemp -d ${dir}/spool.XXXXXX)" $tuned ${ledger === undefined ? "" : `--database-url='${ledger}'`}
`;
}
