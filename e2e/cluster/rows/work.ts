import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { stringify } from "yaml";
import config from "../../../playwright.config.ts";
import { freePort } from "../../harness/free-port.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { demand, eventually } from "../../harness/wait.ts";
import {
  type ClusterEnvironment,
  dashboardUrl,
  NAMESPACE,
  RELEASE,
  type Row,
} from "../environment.ts";

/** Load balancers, and the dashboard that shows them. */
export const workRows: readonly Row[] = [
  {
    id: "I-07",
    title:
      "a Service of type LoadBalancer gets its address, and answers at it and at its node port on every node",
    run: async (env) => {
      const began = Date.now();
      await publish(env);
      const service = await eventually(
        async () => {
          const found = await env.kube.get<Service>(`${SERVICES}/web`);
          demand(addressOf(found) !== undefined, "it has no address yet");
          return found;
        },
        // Services of a real cloud on this machine take their time beside everything else.
        { withinMs: 180_000 },
      );
      const took = Date.now() - began;
      const nodePort = service.spec.ports[0]?.nodePort;
      const hosts = env.status.nodes.map(({ ip }) => `${ip}:${nodePort}`);
      for (const host of [`${addressOf(service)}`, ...hosts]) await eventually(() => answers(host));
      const names = env.status.nodes.map(({ name }) => name);
      await eventually(() => env.cloud.demandLoadBalancer(`${addressOf(service)}`, names));
      return `${addressOf(service)} after ${took} ms`;
    },
  },
  {
    id: "I-08",
    title: "Chromium signs in to the dashboard through a port-forward and finds a node",
    run: async (env) => {
      const port = await freePort();
      const service = `service/${RELEASE}-dashboard`;
      const args = ["port-forward", service, `${port}:80`];
      const forward = env.kubectlServing("-n", NAMESPACE, ...args);
      try {
        await eventually(() => demand(forward.output().includes("Forwarding"), forward.output()));
        return await openDashboard(env, `http://127.0.0.1:${port}`);
      } finally {
        await forward.stop();
      }
    },
  },
  {
    id: "I-09",
    title: "the same through a node port",
    run: (env) => openDashboard(env, dashboardUrl(env.status)),
  },
];

const PAGE = "page of";
const SERVER = `require('node:http').createServer((_, answer) => answer.end('${PAGE} ' + process.env.HOSTNAME)).listen(8080)`;

/** Two pods that answer a page each, behind a load balancer. */
async function publish({ kubectl, image, dir }: ClusterEnvironment): Promise<void> {
  const labels = { app: "web" };
  const container = {
    name: "web",
    image: image.name,
    command: ["/usr/local/bin/node", "-e", SERVER],
    readinessProbe: { httpGet: { path: "/", port: 8_080 }, periodSeconds: 1 },
  };
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 80, targetPort: 8_080 }] },
  };
  const file = join(dir, "web.yaml");
  writeFileSync(file, [deployment, service].map((object) => stringify(object)).join("---\n"));
  await kubectl("apply", "-f", file);
}

export function addressOf({ status }: Service): string | undefined {
  return status.loadBalancer?.ingress?.[0]?.ip;
}

/** Throws until the page is answered there. */
export async function answers(host: string): Promise<void> {
  const answer = await fetch(`http://${host}/`, { signal: AbortSignal.timeout(5_000) });
  const text = await answer.text();
  demand(text.startsWith(PAGE), `${host} answered ${text}`);
}

async function openDashboard(env: ClusterEnvironment, origin: string): Promise<string> {
  const link = await env.kubectl(
    ...["-n", NAMESPACE, "exec", `deployment/${RELEASE}-dashboard`, "--"],
    ...["cloudwright", "sign-in-link", "--base-url", origin],
  );
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  try {
    return await look(browser, link.trim(), env);
  } finally {
    await browser.close();
  }
}

async function look(
  browser: Browser,
  link: string,
  { status }: ClusterEnvironment,
): Promise<string> {
  const began = Date.now();
  const page = await browser.newPage();
  await page.goto(link);
  const button = page.getByRole("button", { name: "Sign in as" });
  await button.click().catch(async (error: unknown) => {
    throw new Error(`${page.url()} shows: ${await page.innerText("body")}`, { cause: error });
  });
  const name = status.nodes[0]?.name ?? "";
  await page.waitForURL(/\/c\//, { timeout: 60_000 });
  const [, cluster = ""] = /(\/c\/[^/]+)/.exec(page.url()) ?? [];
  await page.goto(new URL(`${cluster}/nodes`, link).href);
  await page.getByRole("link", { name, exact: true }).first().waitFor({ timeout: 60_000 });
  return `${name} on the page of nodes after ${((Date.now() - began) / 1_000).toFixed(1)} s`;
}
