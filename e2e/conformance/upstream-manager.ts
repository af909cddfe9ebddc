import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { baselineFolder } from "../bench/baseline.ts";
import { bundle } from "../bench/contender.ts";
import { run, start } from "../harness/processes.ts";
import { demand, eventually, messageOf } from "../harness/wait.ts";
import { Skip } from "./scenario.ts";
import type { Stage } from "./stage.ts";

/** The fake cloud of the baseline, upstream's manager for it, and our plug-in for the same cloud. */
export interface UpstreamCloud {
  /** Upstream's manager, all its controllers but routes; it leads by its usual Lease. */
  startManager(): Promise<void>;
  /** What makes a controller of ours talk to the same cloud. */
  readonly plugin: string;
  readonly cloudConfig: string;
}

/** A fake cloud with the instances `node-0`, `node-1`, …; throws Skip where the baseline is not here. */
export async function openUpstreamCloud(stage: Stage, instances: number): Promise<UpstreamCloud> {
  const folder = await built();
  const cloud = start(
    join(folder, "bench"),
    ["cloud", "--listen", "127.0.0.1:0", "--nodes", String(instances), "--latency", "5ms"],
    { log: join(stage.dir, "fake-cloud.log") },
  );
  stage.after(() => cloud.stop());
  const url = await eventually(() => {
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(cloud.output()) ?? [];
    demand(found !== undefined, `the fake cloud says: ${cloud.output()}`);
    return found;
  });
  const config = join(stage.dir, "fake-cloud.json");
  writeFileSync(config, JSON.stringify({ url }));
  return {
    plugin: await makePlugin(stage.dir, url),
    cloudConfig: config,
    startManager: async () => {
      const { kubeconfig } = stage.cluster;
      const manager = start(
        join(folder, "ccm"),
        [
          ...["--cloud-provider=fakecloud", `--cloud-config=${config}`],
          ...[`--kubeconfig=${kubeconfig}`, `--authentication-kubeconfig=${kubeconfig}`],
          ...[`--authorization-kubeconfig=${kubeconfig}`, "--secure-port=0"],
          ...["--configure-cloud-routes=false", "--node-monitor-period=1s"],
        ],
        { log: join(stage.dir, "upstream.log") },
      );
      stage.after(() => manager.stop());
    },
  };
}

/** The benchmark tells the plug-in by the environment where its cloud is; here each row has a cloud of its own. */
async function makePlugin(dir: string, url: string): Promise<string> {
  await bundle("e2e/plugins/baseline/plugin.ts", join(dir, "baseline.mjs"));
  const plugin = join(dir, "cloudwright-provider-baseline.mjs");
  const told = `process.env.FAKECLOUD_URL = ${JSON.stringify(url)};`;
  writeFileSync(plugin, `${told}\nexport * from "./baseline.mjs";\n`);
  return plugin;
}

async function built(): Promise<string> {
  let folder: string;
  try {
    folder = baselineFolder();
  } catch (error) {
    throw new Skip(messageOf(error));
  }
  return (await run(join(folder, "bench/upstream"), ["build"])).trim();
}
