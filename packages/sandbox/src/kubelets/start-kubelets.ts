import { setMaxListeners } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { lockFile } from "../process/file-lock.ts";
import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { Fleet } from "./fleet.ts";
import { type KubeApi, openKubeApi } from "./kube-api.ts";
import { readKubeconfig } from "./kubeconfig.ts";
import { clusterVersion } from "./kubelet-calls.ts";
import { watchMachines } from "./machine-watch.ts";
import { watchNodes } from "./node-view.ts";
import { provisionMachines } from "./provision.ts";

export interface KubeletsOptions {
  readonly kubeconfig: string;
  /** Base URL of the sandbox cloud's `/v1`. */
  readonly cloudEndpoint: string;
  /** Base URL of its `/admin`. */
  readonly cloudAdmin: string;
  readonly token: string;
  /** Machines to create at the first start: `node-1` to `node-<count>`. */
  readonly count: number;
  /** The number of zones of region-1 across which they are spread. */
  readonly zones: number;
  readonly leaseIntervalMs: number;
  readonly statusIntervalMs: number;
  /** Time over which the machines of a new cluster come up; 0 or absent: all at once. */
  readonly bootSpreadMs?: number | undefined;
  /** A machine whose name is this prefix and a number has a kubelet of ours. */
  readonly namePrefix?: string | undefined;
  /** The file that records which machines were created before; beside the kubeconfig by default. */
  readonly stateFile?: string | undefined;
}

export interface RunningKubelets {
  close(): Promise<void>;
}

/**
 * Runs a kubelet with `--cloud-provider=external` for each of our running machines in the sandbox cloud (spec/70, "Fake kubelets");
 * resolves when the machines are created and watched. Registration continues in the background, and failures are retried. Throws an Error
 * of one sentence when the cluster cannot be reached at first.
 */
export async function startKubelets(options: KubeletsOptions): Promise<RunningKubelets> {
  const stateFile = options.stateFile ?? `${options.kubeconfig}.kubelets.json`;
  const access = await readKubeconfig(options.kubeconfig);
  await mkdir(dirname(stateFile), { recursive: true });
  const unlock = await lockFile(stateFile);
  const api = openKubeApi(access, CONCURRENCY);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  try {
    const timer = await run({ ...options, stateFile }, { api, signal: stopping.signal });
    return {
      close: async () => {
        stopping.abort();
        clearInterval(timer);
        await api.close();
        await unlock();
      },
    };
  } catch (error) {
    stopping.abort();
    await api.close();
    await unlock();
    throw error;
  }
}

const CONCURRENCY = 16;
const TICK_MS = 50;
const DEFAULT_PREFIX = "node-";

interface Connection {
  readonly api: KubeApi;
  readonly signal: AbortSignal;
}

async function run(
  options: KubeletsOptions & { readonly stateFile: string },
  { api, signal }: Connection,
): Promise<NodeJS.Timeout> {
  const namePrefix = options.namePrefix ?? DEFAULT_PREFIX;
  const kubeletVersion = await clusterVersion(api).catch((cause: unknown) => {
    throw new Error(
      `The cluster of ${options.kubeconfig} does not answer (${String(cause)}): start it first.`,
      { cause },
    );
  });
  const shared = { signal, log, concurrency: CONCURRENCY };
  await provisionMachines({ ...options, ...shared, namePrefix });
  const nodes = await watchNodes({ api, ...shared });
  const fleet = new Fleet({
    ...options,
    ...shared,
    api,
    nodes,
    kubeletVersion,
    bootSpreadMs: options.bootSpreadMs ?? 0,
  });
  await watchMachines({
    cloudAdmin: options.cloudAdmin,
    ...shared,
    onPut: (machine) => {
      if (isOurs(machine.name, namePrefix)) {
        fleet.put(machine);
      }
    },
    onDelete: (id) => fleet.delete(id),
  });
  return setInterval(() => fleet.tick(), TICK_MS);
}

function isOurs(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));
}

function log(message: string): void {
  process.stderr.write(`fake kubelets: ${message}\n`);
}

/** Runs `cloudwright sandbox kubelets` until it is stopped; announces `{count}`. */
export async function runKubeletsCommand(options: KubeletsOptions): Promise<void> {
  const { close } = await startKubelets(options);
  await serveUntilStopped({ count: options.count }, close);
}
