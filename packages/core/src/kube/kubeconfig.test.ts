import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KubeConfigError, loadKubeConfig } from "./kubeconfig.ts";
import { createManualClock } from "./testing/manual-clock.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cloudwright-kubeconfig-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

interface Written {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: string;
}

async function write({ cluster = {}, user = {}, context = "here" }: Written): Promise<string> {
  const file = join(folder, "kubeconfig");
  // JSON is YAML.
  const config = {
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1:6443/", ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "here", context: { cluster: "c", user: "u" } }],
    "current-context": context,
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

async function load(written: Written) {
  const kubeconfig = await write(written);
  return loadKubeConfig({ kubeconfig, clock: createManualClock() });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

describe("the kubeconfig", () => {
  it("gives the server without its last slash, and a token", async () => {
    const access = await load({ user: { token: "secret" } });
    expect(access.server).toBe("https://10.0.0.1:6443");
    expect(access.source).toBe(`kubeconfig ${join(folder, "kubeconfig")}`);
    expect(await access.credentials()).toEqual({
      headers: { authorization: "Bearer secret" },
      tls: {},
    });
  });

  it("gives certificates as PEM and the name to check", async () => {
    const access = await load({
      cluster: { "certificate-authority-data": base64("CA"), "tls-server-name": "api.local" },
      user: { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") },
    });
    expect((await access.credentials()).tls).toMatchObject({
      ca: "CA",
      cert: "CERT",
      key: "KEY",
      servername: "api.local",
    });
  });

  it("finds files beside itself, and reads them again when they are old", async () => {
    await writeFile(join(folder, "ca.crt"), "CA");
    await writeFile(join(folder, "client.crt"), "CERT 1");
    await writeFile(join(folder, "client.key"), "KEY");
    const kubeconfig = await write({
      cluster: { "certificate-authority": "ca.crt" },
      user: { "client-certificate": "client.crt", "client-key": "client.key" },
    });
    const clock = createManualClock();
    const access = await loadKubeConfig({ kubeconfig, clock });
    expect((await access.credentials()).tls).toMatchObject({ ca: "CA", cert: "CERT 1" });
    await writeFile(join(folder, "client.crt"), "CERT 2");
    expect((await access.credentials()).tls.cert).toBe("CERT 1");
    await clock.advance(30_000);
    expect((await access.credentials()).tls.cert).toBe("CERT 2");
  });

  it("reads a token file beside itself, without the line break at its end", async () => {
    await writeFile(join(folder, "token"), "from-file\n");
    const access = await load({ user: { tokenFile: "token" } });
    expect((await access.credentials()).headers.authorization).toBe("Bearer from-file");
  });

  it("reads a token file again at once after the API server refused it", async () => {
    await writeFile(join(folder, "token"), "old");
    const access = await load({ user: { tokenFile: "token" } });
    await access.credentials();
    await writeFile(join(folder, "token"), "new");
    access.renew();
    expect((await access.credentials()).headers.authorization).toBe("Bearer new");
  });

  it("follows a kubeconfig that is written anew", async () => {
    const access = await load({ user: { token: "old" } });
    await access.credentials();
    await write({ user: { token: "new" } });
    access.renew();
    expect((await access.credentials()).headers.authorization).toBe("Bearer new");
  });

  it("starts a credential plug-in once for many callers, and again after a refusal", async () => {
    const plugIn = join(folder, "plug-in.sh");
    const runs = join(folder, "runs");
    await writeFile(
      plugIn,
      `#!/bin/sh
echo run >> ${runs}
count=$(wc -l < ${runs} | tr -d ' ')
echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"exec-$count\\",\\"expirationTimestamp\\":\\"2999-01-01T00:00:00Z\\"}}"
`,
    );
    await chmod(plugIn, 0o755);
    const access = await load({
      user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command: plugIn } },
    });
    const tokens = await Promise.all([access.credentials(), access.credentials()]);
    expect(tokens.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer exec-1",
      "Bearer exec-1",
    ]);
    access.renew();
    expect((await access.credentials()).headers.authorization).toBe("Bearer exec-2");
  });

  it("says that a credential plug-in failed, and tries it again next time", async () => {
    const access = await load({
      user: {
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "sh",
          args: ["-c", "echo not today >&2; exit 1"],
        },
      },
    });
    const failed = {
      name: "KubeError",
      code: "Unauthorized",
      message: expect.stringContaining("not today"),
    };
    await expect(access.credentials()).rejects.toMatchObject(failed);
    await expect(access.credentials()).rejects.toMatchObject(failed);
  });

  it("speaks plain HTTP where the kubeconfig says so", async () => {
    const access = await load({ cluster: { server: "http://127.0.0.1:8001" }, user: {} });
    expect((await access.credentials()).headers).toEqual({});
  });

  it("passes on the proxy and basic authentication", async () => {
    const access = await load({
      cluster: { "proxy-url": "http://proxy:3128" },
      user: { username: "ann", password: "pw" },
    });
    const credentials = await access.credentials();
    expect(credentials.proxyUrl).toBe("http://proxy:3128");
    expect(credentials.headers.authorization).toBe(`Basic ${base64("ann:pw")}`);
  });

  it("lets --master override its server", async () => {
    const kubeconfig = await write({ user: { token: "t" } });
    const access = await loadKubeConfig({
      kubeconfig,
      master: "https://other:6443",
      clock: createManualClock(),
    });
    expect(access.server).toBe("https://other:6443");
    expect((await access.credentials()).headers.authorization).toBe("Bearer t");
  });

  it("takes --master alone, without credentials", async () => {
    const access = await loadKubeConfig({
      master: "http://127.0.0.1:8080",
      clock: createManualClock(),
    });
    expect(access.server).toBe("http://127.0.0.1:8080");
    expect((await access.credentials()).headers).toEqual({});
  });

  it("uses the pod's service account when neither is given", async () => {
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "fd00::1");
    vi.stubEnv("KUBERNETES_SERVICE_PORT", "443");
    const access = await loadKubeConfig({ clock: createManualClock() });
    expect(access.server).toBe("https://[fd00::1]:443");
    expect(access.source).toBe("the pod's service account");
  });
});

describe("a kubeconfig that cannot be used", () => {
  async function problem(text: string): Promise<string> {
    const kubeconfig = join(folder, "broken");
    await writeFile(kubeconfig, text);
    const error: unknown = await loadKubeConfig({ kubeconfig, clock: createManualClock() }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(KubeConfigError);
    return String(error);
  }

  it("is named when it is not there", async () => {
    const missing = loadKubeConfig({ kubeconfig: "/none/such", clock: createManualClock() });
    await expect(missing).rejects.toThrow(/\/none\/such cannot be used: ENOENT/);
  });

  it.each([
    ["is empty", "", "cannot be used"],
    ["is no YAML", "a: [", "cannot be used"],
    ["is something else", "kind: Pod", "no cluster in its current context"],
    ["has a cluster without server", "clusters: [{name: a, cluster: {}}]", "server is missing"],
    [
      "impersonates groups",
      "clusters: [{name: a, cluster: {server: 'https://a'}}]\nusers: [{name: u, user: {as: b, as-groups: [c]}}]\ncontexts: [{name: x, context: {cluster: a, user: u}}]\ncurrent-context: x",
      "as-groups",
    ],
  ])("says what is wrong when it %s", async (_, text, words) => {
    const message = await problem(text);
    expect(message).toContain(words);
    expect(message.split("\n")).toHaveLength(1);
  });

  it("says what to give when there is none and no pod", async () => {
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "");
    await expect(loadKubeConfig({ clock: createManualClock() })).rejects.toThrow(/--kubeconfig/);
  });
});
