import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Agent, request } from "undici";
import { Cloud, type CloudReady } from "./cloud.ts";
import { cloudwright, cloudwrightServing, runCloudwright, type Started } from "./processes.ts";
import { demand, eventually } from "./wait.ts";

const insecure = new Agent({ connect: { rejectUnauthorized: false } });

export interface StartedCloud {
  readonly cloud: Cloud;
  readonly process: Started;
  /** Path of the provider's config file. */
  readonly config: string;
}

/** A sandbox cloud of its own, and the config that leads to it. */
export async function startCloud(dir: string): Promise<StartedCloud> {
  const started = await cloudwrightServing<CloudReady>(
    ["sandbox", "cloud", "--listen", "127.0.0.1:0", "--state", join(dir, "cloud.state")],
    { log: join(dir, "cloud.log") },
  );
  const config = join(dir, "cloud.yaml");
  writeFileSync(config, cloudConfig(started.ready.endpoint, started.ready.token), { mode: 0o600 });
  return { cloud: new Cloud(started.ready), process: started, config };
}

/** The provider's config for a cloud at this endpoint. */
export function cloudConfig(endpoint: string, token: string): string {
  return `endpoint: ${endpoint}\ntoken: ${token}\nclusterId: ${randomUUID()}\n`;
}

/** A PostgreSQL of its own with the current schema. */
export async function startDatabase(dir: string) {
  const database = await cloudwrightServing<{ url: string }>(
    ["sandbox", "database", "--data", join(dir, "database")],
    { log: join(dir, "database.log") },
  );
  await runCloudwright(["migrate", "--database-url", database.ready.url]);
  return database;
}

export interface ControllerOptions {
  readonly kubeconfig: string;
  readonly cloudConfig: string;
  readonly dir: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly databaseUrl?: string | undefined;
}

export interface RunningController extends Started {
  readonly securePort: number;
}

/** Starts a controller and waits until it says that it is ready. */
export async function startController(options: ControllerOptions): Promise<RunningController> {
  const securePort = await freePort();
  const { kubeconfig, dir, flags, databaseUrl } = options;
  const args = [
    "controller",
    "--cloud-provider=sandbox",
    `--cloud-config=${options.cloudConfig}`,
    `--kubeconfig=${kubeconfig}`,
    ...Object.entries(flags).map(([name, value]) => `${name}=${value}`),
    "--bind-address=127.0.0.1",
    `--secure-port=${securePort}`,
    "--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics",
    `--spool-dir=${join(dir, "spool")}`,
    ...(databaseUrl === undefined ? [] : [`--database-url=${databaseUrl}`]),
  ];
  const started = cloudwright(args, {
    log: join(dir, "controller.log"),
    env: { DATABASE_URL: undefined },
  });
  await eventually(
    async () => {
      demand(
        started.child.exitCode === null,
        `the controller ended: ${started.output().slice(-1_000)}`,
      );
      demand(
        await isReady(securePort),
        `the controller is not ready: ${started.output().slice(-500)}`,
      );
    },
    { withinMs: 60_000 },
  );
  return { ...started, securePort };
}

/** What a scraper reads from the controller's HTTPS port; its certificate is self-signed. */
export async function metrics(port: number): Promise<string> {
  const answer = await request(`https://127.0.0.1:${port}/metrics`, { dispatcher: insecure });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`/metrics answered ${answer.statusCode}: ${text}`);
  return text;
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await request(`https://127.0.0.1:${port}/readyz`, { dispatcher: insecure });
    await answer.body.dump();
    return answer.statusCode === 200;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") reject(new Error("no port was given"));
        else resolve(address.port);
      });
    });
  });
}
