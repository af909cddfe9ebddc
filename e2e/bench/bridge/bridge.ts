import { join } from "node:path";
import { buildBaselineProvider } from "../../bridge/baseline-provider.ts";
import { measure } from "../baseline.ts";
import { about, type Contender, prepareContender } from "../contender.ts";
import { bridgeTable, type MeasuredWay, type Way } from "./bridge-table.ts";
import { type Peaks, watchPeaks } from "./peaks.ts";

export interface BridgeBenchOptions {
  /** Sizes of the waves. */
  readonly nodes: readonly number[];
  readonly runs: number;
}

/**
 * Measures a wave of nodes with tuned flags on the baseline's cloud: upstream, Cloudwright with the cloud's plug-in in its own
 * process, and Cloudwright with the cloud's own, unmodified Go provider in another; one after the other for each size.
 */
export async function benchBridge({ nodes, runs }: BridgeBenchOptions): Promise<string> {
  const folder = await buildBaselineProvider();
  const plugin = await prepareContender();
  const provider = await prepareContender({ providerFolder: folder });
  const peaks = watchPeaks({
    ours: (line) => line.includes(" controller ") && !line.startsWith("/bin/sh"),
    provider: (line) => line.startsWith(join(folder, "cloudwright-provider-")),
  });
  const measured: MeasuredWay[] = [];
  const ways: readonly (readonly [Way, Contender | undefined])[] = [
    ["upstream", undefined],
    ["plug-in", plugin],
    ["process", provider],
  ];
  try {
    for (const count of nodes)
      for (const [way, contender] of ways) {
        process.stderr.write(`${count} nodes, ${way} …\n`);
        measured.push({ way, ...(await wave({ count, runs, contender, peaks })) });
      }
    return bridgeTable(await about(), measured);
  } finally {
    peaks.close();
    plugin.close();
    provider.close();
  }
}

interface Wave {
  readonly count: number;
  readonly runs: number;
  readonly contender: Contender | undefined;
  readonly peaks: Peaks<"ours" | "provider">;
}

async function wave({ count, runs, contender, peaks }: Wave): Promise<Omit<MeasuredWay, "way">> {
  const args = ["--nodes", String(count), "--profile", "tuned", "--runs", String(runs)];
  peaks.taken();
  const { median, spread } = await measure(args, contender?.command());
  const { ours, provider } = peaks.taken();
  return {
    nodes: count,
    runs,
    seconds: median.seconds ?? Number.NaN,
    range: spread.seconds,
    cpuSeconds: median.cpuSeconds ?? Number.NaN,
    cloudCalls: median.cloudCalls ?? Number.NaN,
    loadPerCore: median.loadPerCore ?? Number.NaN,
    // Upstream is one process, measured by the baseline's program.
    ownMiB: contender === undefined ? (median.rssPeakMiB ?? Number.NaN) : (ours ?? Number.NaN),
    providerMiB: provider,
  };
}
