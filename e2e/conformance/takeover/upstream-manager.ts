import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { baselineFolder } from "../../bench/baseline.ts";
import { bundle } from "../../bench/contender.ts";
import { run, type Started, start } from "../../harness/processes.ts";
import { demand, eventually, messageOf } from "../../harness/wait.ts";
import type { IsolatedEnvironment } from "../environment/isolated.ts";
import { Skip } from "../environment/scenario.ts";

/** The fake cloud of the baseline, upstream's manager for it, and our plug-in for the same cloud. */
export interface UpstreamCloud {
  /** Starts upstream's manager with all its controllers (routes only with a `podCidr`) and its default Lease. It ends with the row. */
  startManager(options?: ManagerOptions): Promise<Started>;
  /** Makes a call like its controllers', such as `lb.get`; undefined if the cloud does not know the object. */
  ask(operation: string, body?: object): Promise<Record<string, unknown> | undefined>;
  /** Returns how many calls of each operation it has carried out. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** The plug-in with which our controller uses the same cloud. */
  readonly plugin: string;
  readonly cloudConfig: string;
}

export interface ManagerOptions {
  /** The range of the pods; routes are created only with it. */
  readonly podCidr?: string;
  readonly flags?: readonly string[];
}

const countersSchema = z.record(z.string(), z.object({ ok: z.number().default(0) }));

/** Starts a fake cloud with the instances `node-0`, `node-1`, …; throws Skip if the baseline is missing. */
export async function openUpstreamCloud(
  env: IsolatedEnvironment,
  instances: number,
): Promise<UpstreamCloud> {
  const folder = await built();
  const cloud = start(
    join(folder, "bench"),
    ["cloud", "--listen", "127.0.0.1:0", "--nodes", String(instances), "--latency", "5ms"],
    { log: join(env.dir, "fake-cloud.log") },
  );
  env.after(() => cloud.stop());
  const url = await eventually(() => {
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(cloud.output()) ?? [];
    demand(found !== undefined, `the fake cloud says: ${cloud.output()}`);
    return found;
  });
  const config = join(env.dir, "fake-cloud.json");
  writeFileSync(config, JSON.stringify({ url }));
  return {
    plugin: await makePlugin(env.dir, url),
    cloudConfig: config,
    ask: (operation, body = {}) => ask(url, operation, body),
    counts: async () => {
      const counters = countersSchema.parse(await (await fetch(`${url}/counters`)).json());
      return Object.fromEntries(Object.entries(counters).map(([name, { ok }]) => [name, ok]));
    },
    startManager: async ({ podCidr, flags = [] } = {}) => {
      const { kubeconfig } = env.cluster;
      const manager = start(
        join(folder, "ccm"),
        [
          ...["--cloud-provider=fakecloud", `--cloud-config=${config}`],
          ...[`--kubeconfig=${kubeconfig}`, `--authentication-kubeconfig=${kubeconfig}`],
          ...[`--authorization-kubeconfig=${kubeconfig}`, "--secure-port=0"],
          ...(podCidr === undefined
            ? ["--configure-cloud-routes=false"]
            : [`--cluster-cidr=${podCidr}`, "--route-reconciliation-period=1s"]),
          ...["--node-monitor-period=1s", ...flags],
        ],
        { log: join(env.dir, "upstream.log") },
      );
      env.after(() => manager.stop());
      return manager;
    },
  };
}

async function ask(
  url: string,
  operation: string,
  body: object,
): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(`${url}/v1/${operation}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (answer.status === 404) return undefined;
  demand(answer.ok, `${operation} was answered ${answer.status}`);
  return z.record(z.string(), z.unknown()).parse(await answer.json());
}

/** The benchmark passes the cloud's address to the plug-in in the environment; here each row has its own cloud. */
async function makePlugin(dir: string, url: string): Promise<string> {
  await bundle("e2e/plugins/baseline/plugin.ts", join(dir, "baseline.mjs"));
  const plugin = join(dir, "cloudwright-provider-baseline.mjs");
  const reported = `process.env.FAKECLOUD_URL = ${JSON.stringify(url)};`;
  writeFileSync(plugin, `${reported}\nexport * from "./baseline.mjs";\n`);
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
