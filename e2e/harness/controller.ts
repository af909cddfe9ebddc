import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "undici";
import { Cloud, type CloudReady } from "./cloud.ts";
import { freePort } from "./free-port.ts";
import { cloudwright, cloudwrightServing, runCloudwright, type Started } from "./processes.ts";
import { demand, eventually } from "./wait.ts";

const insecure = new Agent({ connect: { rejectUnauthorized: false } });

export interface StartedCloud {
  readonly cloud: Cloud;
  readonly process: Started;
  /** Path of the provider's config file. */
  readonly config: string;
}

/** Starts a separate sandbox cloud; returns it with the config for it. */
export async function startCloud(dir: string): Promise<StartedCloud> {
  const started = await cloudwrightServing<CloudReady>(
    ["sandbox", "cloud", "--listen", "127.0.0.1:0", "--state", join(dir, "cloud.state")],
    { log: join(dir, "cloud.log") },
  );
  const config = join(dir, "cloud.yaml");
  writeFileSync(config, cloudConfig(started.ready.endpoint, started.ready.token), { mode: 0o600 });
  return { cloud: new Cloud(started.ready), process: started, config };
}

/** Returns the provider's config for a cloud at this endpoint. */
export function cloudConfig(endpoint: string, token: string): string {
  return `endpoint: ${endpoint}\ntoken: ${token}\nclusterId: ${randomUUID()}\n`;
}

/** Starts a separate PostgreSQL with the current schema. */
export async function startDatabase(dir: string) {
  const database = await serveDatabase(dir);
  await runCloudwright(["migrate", "--database-url", database.ready.url]);
  return database;
}

/** Restarts the PostgreSQL of this folder, on its former port if that is free. */
export function serveDatabase(dir: string) {
  return cloudwrightServing<{ url: string }>(
    ["sandbox", "database", "--data", join(dir, "database")],
    { log: join(dir, "database.log") },
  );
}

/** Flags by name; undefined ones are left out. */
export type Flags = Readonly<Record<string, string | undefined>>;

export interface ControllerOptions {
  readonly kubeconfig: string;
  readonly cloudConfig: string;
  /** The folder of its log and its spool. */
  readonly dir: string;
  readonly flags: Flags;
  readonly databaseUrl?: string | undefined;
  /** The program that starts it, as in `StartOptions`. */
  readonly through?: readonly string[] | undefined;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly ipc?: boolean | undefined;
}

export interface RunningController extends Started {
  readonly securePort: number;
}

/** Starts a controller and waits for its ready message. */
export async function startController(options: ControllerOptions): Promise<RunningController> {
  const started = await launchController(options);
  try {
    await eventually(() => isReady(started), { withinMs: 60_000 });
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}

async function isReady(started: RunningController): Promise<void> {
  demand(!hasEnded(started), `the controller ended: ${started.output().slice(-1_000)}`);
  demand(
    (await ask(started.securePort, "/readyz"))?.status === 200,
    `the controller is not ready: ${started.output().slice(-500)}`,
  );
}

/** Starts a controller without waiting for anything. */
export async function launchController(options: ControllerOptions): Promise<RunningController> {
  const securePort = await freePort();
  const flags: Flags = {
    "--cloud-provider": "sandbox",
    "--cloud-config": options.cloudConfig,
    "--kubeconfig": options.kubeconfig,
    "--bind-address": "127.0.0.1",
    "--secure-port": String(securePort),
    "--authorization-always-allow-paths": "/healthz,/readyz,/livez,/metrics",
    "--spool-dir": join(options.dir, "spool"),
    "--database-url": options.databaseUrl,
    ...options.flags,
  };
  const started = cloudwright(["controller", ...argumentsOf(flags)], {
    log: join(options.dir, "controller.log"),
    env: { DATABASE_URL: undefined, ...options.env },
    ipc: options.ipc === true,
    ...(options.through === undefined ? {} : { through: options.through }),
  });
  return { ...started, securePort };
}

export function argumentsOf(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
}

export function hasEnded({ child }: Started): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request to the controller's HTTPS port, accepting its self-signed certificate; undefined if nothing listens there. */
export async function ask(port: number, path: string, token?: string): Promise<Answer | undefined> {
  try {
    const answer = await request(`https://127.0.0.1:${port}${path}`, {
      dispatcher: insecure,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  } catch {
    return undefined;
  }
}

/** Does the same with a client certificate. */
export async function askAs(
  port: number,
  path: string,
  pair: { readonly cert: string; readonly key: string },
): Promise<Answer | undefined> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, ...pair } });
  try {
    const answer = await request(`https://127.0.0.1:${port}${path}`, { dispatcher });
    return { status: answer.statusCode, body: await answer.body.text() };
  } catch {
    return undefined;
  } finally {
    await dispatcher.close();
  }
}

/** Returns the metrics from the controller's HTTPS port. */
export async function metrics(port: number): Promise<string> {
  const answer = await ask(port, "/metrics");
  if (answer?.status !== 200) throw new Error(`/metrics answered ${JSON.stringify(answer)}`);
  return answer.body;
}
