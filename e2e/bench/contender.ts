import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { z } from "zod";
import { ALLOCATOR, COMMAND, PROJECT_ROOT, run } from "../harness/processes.ts";

const seenSchema = z.object({ nodesWithEvent: z.number() });

/**
 * Cloudwright as started by the baseline's program: the shipped command, with its provider loaded as an external plug-in or
 * running in its own process.
 */
export interface Contender {
  readonly program: string;
  /** The command for the baseline's `--controller`. */
  command(databaseUrl?: string): string;
  /** With `counting`: the file in which the controller writes where to request its counts (environment variable `BENCH_COUNTS_AT`). */
  readonly countsAt: string | undefined;
  /** Returns how many nodes had an Event at the end of each run since the last call. */
  nodesWithEvent(): readonly number[];
  close(): void;
}

export interface ContenderOptions {
  /** The `cloudwright.mjs` of another checkout to measure. */
  readonly program?: string | undefined;
  /** Whether the controller counts its own work, which takes time. */
  readonly counting?: boolean;
  /** The folder with the baseline's Go provider as an executable, which replaces the plug-in. */
  readonly providerFolder?: string;
}

export async function prepareContender({
  program = COMMAND,
  counting = false,
  providerFolder,
}: ContenderOptions = {}): Promise<Contender> {
  await run(process.execPath, [program, "--version"]);
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-bench-"));
  const census = join(dir, "census.mjs");
  const cloud =
    providerFolder === undefined
      ? await pluginFlags(dir)
      : `--cloud-provider=fakecloud --provider-path=${providerFolder} --cloud-config="$config"`;
  await bundle("e2e/bench/event-census.ts", census);
  const preload = join(dir, "counting.mjs");
  if (counting) await bundle("e2e/bench/counting.ts", preload);
  const node = [process.execPath, ...(counting ? ["--import", preload] : []), program].join(" ");
  const seen = join(dir, "seen.jsonl");
  writeFileSync(seen, "");
  return {
    program,
    countsAt: counting ? join(dir, "counts-at") : undefined,
    command: (databaseUrl) => {
      const script = join(dir, databaseUrl === undefined ? "headless.sh" : "ledger.sh");
      writeFileSync(script, launcher({ dir, node, cloud, census, seen, databaseUrl }), {
        mode: 0o755,
      });
      // Without `exec`, the shell would end first at a signal, and the cluster with it.
      return `exec ${script}`;
    },
    nodesWithEvent: () => {
      const lines = readFileSync(seen, "utf8").split("\n").filter(Boolean);
      writeFileSync(seen, "");
      return lines.map((line) => seenSchema.parse(JSON.parse(line)).nodesWithEvent);
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}

async function pluginFlags(dir: string): Promise<string> {
  const plugin = join(dir, "cloudwright-provider-baseline.mjs");
  await bundle("e2e/plugins/baseline/plugin.ts", plugin);
  return `--cloud-provider=${plugin}`;
}

/** Bundles one ESM file that is loaded from outside the checkout, like a plug-in. */
export async function bundle(source: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(PROJECT_ROOT, source)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    banner: {
      js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);",
    },
  });
}

interface Launch {
  readonly dir: string;
  /** Node, its own options, and the program. */
  readonly node: string;
  /** The flags that name the cloud. */
  readonly cloud: string;
  readonly census: string;
  readonly seen: string;
  readonly databaseUrl: string | undefined;
}

/**
 * Returns a script that counts Events when the baseline's program ends the controller: by then it has its results, and the
 * cluster still exists. A fail-over measures exactly that moment, so there it does not count.
 */
function launcher({ dir, node, cloud, census, seen, databaseUrl }: Launch): string {
  const spools = join(dir, "spools");
  mkdirSync(spools, { recursive: true });
  const ledger = databaseUrl === undefined ? "" : `--database-url='${databaseUrl}'`;
  return `#!/bin/sh
export ${Object.entries(ALLOCATOR)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")}
tuned=
if [ "$BENCH_PROFILE" = tuned ]; then
  tuned="--kube-api-qps=1000 --kube-api-burst=2000 --concurrent-node-syncs=32 --concurrent-service-syncs=32"
fi
routes=--configure-cloud-routes=false
if [ "$BENCH_SCENARIO" = routes ]; then routes="--configure-cloud-routes=true --cluster-cidr=$BENCH_CLUSTER_CIDR"; fi
config=$(mktemp ${dir}/XXXXXX.json)
printf '{"url": "%s"}' "$FAKECLOUD_URL" >"$config"
set -- ${node} controller --kubeconfig="$KUBECONFIG" ${cloud} \\
  $routes --secure-port=0 --spool-dir="$(mktemp -d ${spools}/XXXXXX)" $tuned ${ledger}
if [ "$BENCH_SCENARIO" = failover ]; then exec "$@"; fi
trap : TERM
"$@" &
wait $!
wait $!
exec ${process.execPath} ${census} >>${seen}
`;
}

/** Describes machine, versions and the commit of the measured program in one line of Markdown. */
export async function about(program = COMMAND): Promise<string> {
  const described = ["-C", dirname(program), "describe", "--always", "--dirty"];
  const commit = (await run("git", described)).trim();
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, commit ${commit}, Node ${process.versions.node}, ${cpus().length} cores, ${memory} GiB; each cloud call takes 50 ms.`;
}
