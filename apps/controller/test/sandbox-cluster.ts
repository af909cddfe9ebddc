import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, fetch } from "undici";
import { cloudwrightProgram } from "./program.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const CONTENT_TYPES = {
  GET: "application/json",
  POST: "application/json",
  PATCH: "application/merge-patch+json",
} as const;

export interface ServedCluster {
  readonly server: string;
  /** Base URL under which `/admin` lives. */
  readonly admin: string;
  readonly token: string;
}

export interface ServedCloud {
  readonly endpoint: string;
  readonly admin: string;
  readonly token: string;
}

export function writeCloudConfig(
  file: string,
  { endpoint, token }: Pick<ServedCloud, "endpoint" | "token">,
): void {
  writeFileSync(
    file,
    `endpoint: ${endpoint}\ntoken: ${token}\nclusterId: 6f3c2a10-0000-4000-8000-000000000001\n`,
  );
}

/** Our own serving commands, and requests to what they serve. */
export class ServingCommands {
  readonly #served: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
  readonly #insecure = new Agent({ connect: { rejectUnauthorized: false } });

  /** Starts one; returns the JSON line that it prints once it serves. */
  async serve<Ready>(args: readonly string[]): Promise<Ready> {
    const child = spawn(process.execPath, [await cloudwrightProgram(), ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((done) => void child.once("close", done));
    this.#served.push({ child, ended });
    return new Promise((resolve, reject) => {
      child.stdout.once("data", (line: Buffer) => resolve(JSON.parse(line.toString())));
      void ended.then(() => reject(new Error(`${args.join(" ")} ended`)));
    });
  }

  /** Starts a sandbox cloud that keeps its state in the folder, with `cloud.yaml`, the controller's config for it. */
  async cloud(folder: string): Promise<ServedCloud> {
    const cloud = await this.serve<ServedCloud>([
      ...["sandbox", "cloud", "--listen", "127.0.0.1:0", "--state", join(folder, "cloud")],
    ]);
    writeCloudConfig(join(folder, "cloud.yaml"), cloud);
    return cloud;
  }

  /** Starts a sandbox cluster that keeps its state and an admin's kubeconfig in the folder. */
  async cluster(folder: string, ...flags: readonly string[]): Promise<ServedCluster> {
    const kubeconfig = join(folder, "kubeconfig");
    const served = await this.serve<Pick<ServedCluster, "server" | "admin">>([
      ...["sandbox", "cluster", "--listen", "127.0.0.1:0", "--state", join(folder, "cluster")],
      ...["--kubeconfig", kubeconfig, "--node-monitor-grace-period", "0", ...flags],
    ]);
    const token = /token"?: "?([^"\n]+)/.exec(readFileSync(kubeconfig, "utf8"))?.[1] ?? "";
    return { ...served, token };
  }

  async send(
    method: keyof typeof CONTENT_TYPES,
    { url, token, body }: { readonly url: string; readonly token: string; readonly body?: object },
  ): Promise<unknown> {
    const answer = await fetch(url, {
      method,
      dispatcher: this.#insecure,
      headers: { authorization: `Bearer ${token}`, "content-type": CONTENT_TYPES[method] },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  }

  async end(): Promise<void> {
    for (const { child } of this.#served) child.kill("SIGTERM");
    await Promise.all([this.#insecure.close(), ...this.#served.map(({ ended }) => ended)]);
  }
}
