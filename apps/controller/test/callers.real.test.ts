import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, fetch } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { authority, clientPair, type KeyPair } from "../src/http/testing/certificates.ts";
import { type ControllerProcess, eventually, startController } from "./controller-process.ts";
import { startTestCluster, type TestCluster, testclusterFolder } from "./testcluster.ts";

const folder = testclusterFolder();
const PROVIDER = fileURLToPath(new URL("scripted-provider.mjs", import.meta.url));
const started: ControllerProcess[] = [];
let cluster: TestCluster;
let work: string;

describe.skipIf(folder === undefined)("callers of the HTTPS port, on a real API server", () => {
  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "cloudwright-callers-"));
    if (folder === undefined) return;
    cluster = await startTestCluster(folder);
    await cluster.kubectl(
      ...["create", "clusterrole", "read-metrics", "--verb=get", "--non-resource-url=/metrics"],
    );
    await cluster.kubectl(
      ...["create", "clusterrolebinding", "read-metrics", "--clusterrole=read-metrics"],
      ...["--user=scraper", "--group=scrapers"],
    );
  });

  afterEach(async () => {
    for (const { child } of started) child.kill("SIGKILL");
    await Promise.all(started.splice(0).map(({ ended }) => ended));
  });

  afterAll(async () => {
    await cluster.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it("identifies callers with certificates of the cluster's client CA, by name and by group", async () => {
    const controller = await start();
    const admin = await statusFor(controller, { kubeconfig: cluster.kubeconfig });
    expect(admin).toBe(200);
    const scraper = await cluster.kubeconfigOf("scraper", "people");
    expect(await statusFor(controller, { kubeconfig: scraper })).toBe(200);
    const member = await cluster.kubeconfigOf("jo", "scrapers");
    expect(await statusFor(controller, { kubeconfig: member })).toBe(200);
    const foreign = await cluster.kubeconfigOf("jo", "people");
    expect(await statusFor(controller, { kubeconfig: foreign })).toBe(403);
    expect(await statusFor(controller, {})).toBe(403);
  });

  it("does not request certificates if it must not look the CA up", async () => {
    const controller = await start("--authentication-skip-lookup");
    expect(await statusFor(controller, { kubeconfig: cluster.kubeconfig })).toBe(403);
  });

  it("reads a client CA from a file, and trusts a front proxy", async () => {
    const controller = await start(
      "--authentication-skip-lookup",
      `--requestheader-client-ca-file=${caFile()}`,
      "--requestheader-allowed-names=front-proxy",
    );
    const proxy = await cluster.kubeconfigOf("front-proxy", "proxies");
    const as = { "x-remote-user": "scraper" };
    expect(await statusFor(controller, { kubeconfig: proxy, headers: as })).toBe(200);
    const other = { "x-remote-user": "jo", "x-remote-group": "people" };
    expect(await statusFor(controller, { kubeconfig: proxy, headers: other })).toBe(403);
    const impostor = await cluster.kubeconfigOf("jo", "people");
    expect(await statusFor(controller, { kubeconfig: impostor, headers: as })).toBe(401);
  });

  it("follows changes of the client CA in the cluster", async () => {
    const controller = await start();
    const ca = await authority("new-clients");
    const pair = await clientPair(ca, { commonName: "scraper" });
    expect(await statusFor(controller, { pair })).toBe(401);
    const name = ["configmap", "-n", "kube-system", "extension-apiserver-authentication"];
    const before = await cluster.kubectl(
      ...["get", ...name, "-o", "jsonpath={.data.client-ca-file}"],
    );
    const patch = JSON.stringify({ data: { "client-ca-file": `${before}\n${ca.cert}` } });
    await cluster.kubectl("patch", ...name, "--type=merge", "-p", patch);
    await eventually(
      () => statusFor(controller, { pair }),
      (status) => status === 200,
    );
  });

  it("ends with a sentence if the lookup of the client CA is forbidden, and starts if that is tolerated", async () => {
    const powerless = await cluster.kubeconfigOf("powerless", "nobody");
    const flags = [`--authentication-kubeconfig=${powerless}`];
    const controller = await launch(...flags);
    expect(await controller.ended).toBe(1);
    expect(controller.log()).toMatch(
      /^The client CA of the cluster cannot be looked up .*grant get, list and watch/m,
    );
    const tolerant = await start(...flags, "--authentication-tolerate-lookup-failure");
    expect(tolerant.log()).toContain(
      "Callers with client certificates cannot be authenticated yet",
    );
  });
});

interface KubeConfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function kubeconfigIn(file: string): KubeConfig {
  return parse(readFileSync(file, "utf8")) as KubeConfig;
}

function caFile(): string {
  const file = join(work, "ca.crt");
  const [first] = kubeconfigIn(cluster.kubeconfig).clusters;
  writeFileSync(file, fromBase64(first?.cluster["certificate-authority-data"]));
  return file;
}

function fromBase64(text = ""): string {
  return Buffer.from(text, "base64").toString("utf8");
}

async function launch(...flags: readonly string[]): Promise<ControllerProcess> {
  const { kubeconfig } = cluster;
  const controller = await startController([
    `--kubeconfig=${kubeconfig}`,
    `--cloud-provider=${PROVIDER}`,
    `--spool-dir=${join(work, "spool")}`,
    "--leader-elect=false",
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    ...flags,
  ]);
  started.push(controller);
  return controller;
}

async function start(...flags: readonly string[]): Promise<ControllerProcess> {
  const controller = await launch(...flags);
  await eventually(
    () => controller.get("/readyz"),
    ({ status }) => status === 200,
  );
  return controller;
}

interface CallerOptions {
  /** The kubeconfig with the caller's client certificate. */
  readonly kubeconfig?: string;
  readonly pair?: KeyPair;
  readonly headers?: Readonly<Record<string, string>>;
}

async function statusFor(
  { port }: ControllerProcess,
  { kubeconfig, pair = pairOf(kubeconfig), headers = {} }: CallerOptions,
): Promise<number> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, ...pair } });
  try {
    const answer = await fetch(`https://127.0.0.1:${port}/metrics`, { dispatcher, headers });
    await answer.text();
    return answer.status;
  } finally {
    await dispatcher.close();
  }
}

function pairOf(kubeconfig: string | undefined): KeyPair | undefined {
  if (kubeconfig === undefined) return undefined;
  const [first] = kubeconfigIn(kubeconfig).users;
  return {
    cert: fromBase64(first?.user["client-certificate-data"]),
    key: fromBase64(first?.user["client-key-data"]),
  };
}
