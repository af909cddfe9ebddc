import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import {
  type RunningController,
  type StartedCloud,
  startCloud,
  startController,
  startDatabase,
} from "../harness/controller.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { Kube } from "../harness/kube.ts";
import { cloudwrightServing, type Started } from "../harness/processes.ts";

export { expect };

/** Everything between a page and the cloud, each a process of its own that can be stopped. */
export interface Links {
  readonly cluster: SandboxCluster;
  readonly cloud: StartedCloud;
  readonly database: Started & { readonly ready: { readonly url: string } };
  /** Path of the cluster's pages. */
  readonly path: string;
  readonly dashboard: Dashboard;
  controller(): RunningController;
  /** Another controller in the place of the one that ended. */
  startController(): Promise<void>;
  /** The server again, at its address and with its sessions. */
  startDashboard(): Promise<void>;
  stopDashboard(): Promise<unknown>;
}

interface SandboxCluster {
  readonly kubeconfig: string;
  /** Watches that are open end, and new ones get no answer, until the function that comes back is called. */
  silenceWatches(): Promise<() => Promise<void>>;
}

interface PerWorker {
  readonly nodes: readonly string[];
  readonly links: Links;
}

export const test = base.extend<object, PerWorker>({
  nodes: [["node-1", "node-2", "node-3"], { scope: "worker", option: true }],
  links: [
    async ({ nodes }, use) => {
      const dir = mkdtempSync(join(tmpdir(), "cloudwright-links-"));
      const endings: (() => unknown)[] = [];
      try {
        await use(await openLinks({ dir, nodes, endings }));
      } finally {
        for (const end of endings.reverse()) await end();
        rmSync(dir, { recursive: true, force: true });
      }
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ links }, use) => use(links.dashboard.origin),
  storageState: { cookies: [], origins: [] },
});

/** A page of the cluster, live and with its data, as an admin sees it. */
export async function openLive(page: Page, links: Links, path = ""): Promise<void> {
  const [name = "", value = ""] = (await adminCookie(links)).split("=", 2);
  await page.context().addCookies([{ name, value, url: links.dashboard.origin }]);
  await page.goto(links.path + path);
  await expect(dotOf(page)).toHaveText("Live", { timeout: 60_000 });
  await expect(page.getByRole("region", { name: "State of the cluster" })).toContainText(
    "Data as of",
  );
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
}

export function dotOf(page: Page) {
  return page.getByRole("button", { name: /updating/ });
}

const cookies = new WeakMap<Links, Promise<string>>();

function adminCookie(links: Links): Promise<string> {
  const cookie = cookies.get(links) ?? links.dashboard.signIn("admin");
  cookies.set(links, cookie);
  return cookie;
}

interface Opening {
  readonly dir: string;
  readonly nodes: readonly string[];
  /** Grows with each part, so that what has begun ends, however it goes on. */
  readonly endings: (() => unknown)[];
}

async function openLinks({ dir, nodes, endings }: Opening): Promise<Links> {
  const cluster = await openCluster(dir, endings);
  const cloud = await startCloud(dir);
  endings.push(
    () => cloud.process.stop(),
    () => cloud.cloud.close(),
  );
  const database = await startDatabase(dir);
  endings.push(() => database.stop());
  const kube = new Kube(cluster.kubeconfig);
  endings.push(() => kube.close());
  for (const [index, name] of nodes.entries()) {
    const addresses = [{ type: "InternalIP", address: `10.0.0.${index + 1}` }];
    await cloud.cloud.put({ name, addresses });
    await kube.create("/api/v1/nodes", nodeOf(name));
  }
  const begin = () =>
    startController({
      kubeconfig: cluster.kubeconfig,
      cloudConfig: cloud.config,
      dir,
      databaseUrl: database.ready.url,
      flags: { "--configure-cloud-routes": "false", "--leader-elect": "true" },
    });
  let controller = await begin();
  endings.push(() => controller.stop("SIGKILL"));
  let dashboard = await startDashboard(database.ready.url, dir);
  endings.push(() => dashboard.stop("SIGKILL"));
  const { metadata } = await kube.get("/api/v1/namespaces/kube-system");
  const { origin, authSecret } = dashboard;
  const first = dashboard;
  return {
    ...{ cluster, cloud, database },
    path: `/c/${metadata.uid}`,
    dashboard: first,
    controller: () => controller,
    startController: async () => {
      controller = await begin();
    },
    startDashboard: async () => {
      const again = { port: Number(new URL(origin).port), authSecret };
      dashboard = await startDashboard(database.ready.url, dir, again);
    },
    stopDashboard: () => dashboard.stop("SIGKILL"),
  };
}

async function openCluster(dir: string, endings: (() => unknown)[]): Promise<SandboxCluster> {
  const kubeconfig = join(dir, "sandbox.kubeconfig");
  const server = await cloudwrightServing<{ admin: string }>(
    [
      ...["sandbox", "cluster", "--listen", "127.0.0.1:0", "--state", join(dir, "cluster")],
      ...["--kubeconfig", kubeconfig, "--node-monitor-grace-period", "0"],
    ],
    { log: join(dir, "cluster.log") },
  );
  endings.push(() => server.stop());
  const base = server.ready.admin.replace(/\/admin\/?$/, "").replace(/\/$/, "");
  const admin = async (method: string, path: string, body?: object) => {
    const { ok, status } = await fetch(`${base}/admin/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!ok) throw new Error(`${method} ${path} of the sandbox cluster answered ${status}`);
  };
  return {
    kubeconfig,
    silenceWatches: async () => {
      await admin("PUT", "faults", { rules: [{ verb: "watch", hang: true }] });
      await admin("POST", "cut-watches");
      return () => admin("PUT", "faults", { rules: [] });
    },
  };
}

function nodeOf(name: string): object {
  const taint = {
    key: "node.cloudprovider.kubernetes.io/uninitialized",
    value: "true",
    effect: "NoSchedule",
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name } },
    spec: { taints: [taint] },
    status: {
      addresses: [{ type: "Hostname", address: name }],
      conditions: [{ type: "Ready", status: "True" }],
    },
  };
}
