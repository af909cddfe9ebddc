import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { KubeConfigError, loadKubeConfig } from "./kubeconfig.ts";

const [CA = "", CERT_1 = "", CERT_2 = ""] = rootCertificates;
const KEY = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

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

const MERGED = `
current-context: here
clusters:
  - name: c
    cluster: { server: "https://10.0.0.1" }
users:
  - name: other
    user: &user { token: one }
  - name: u
    user:
      <<: *user
      impersonate: ""
contexts:
  - name: here
    context: { cluster: c, user: u }
`;

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

describe("the kubeconfig", () => {
  it("gives the server without a trailing slash, and a token", async () => {
    const access = await load({ user: { token: "secret" } });
    expect(access.server).toBe("https://10.0.0.1:6443");
    expect(access.source).toBe(`kubeconfig ${join(folder, "kubeconfig")}`);
    expect(await access.credentials()).toEqual({
      headers: { authorization: "Bearer secret" },
      tls: {},
    });
  });

  it("may be YAML with anchors and merged keys", async () => {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, MERGED);
    const access = await loadKubeConfig({ kubeconfig, clock: createManualClock() });
    expect(access.server).toBe("https://10.0.0.1");
    expect(await access.credentials()).toMatchObject({ headers: { authorization: "Bearer one" } });
  });

  it("gives certificates as PEM and the name to check", async () => {
    const access = await load({
      cluster: { "certificate-authority-data": base64(CA), "tls-server-name": "api.local" },
      user: { "client-certificate-data": base64(CERT_1), "client-key-data": base64(KEY) },
    });
    expect((await access.credentials()).tls).toMatchObject({
      ca: CA,
      cert: CERT_1,
      key: KEY,
      servername: "api.local",
    });
  });

  it("finds files relative to itself, and reads them again when they are old", async () => {
    await writeFile(join(folder, "ca.crt"), CA);
    await writeFile(join(folder, "client.crt"), CERT_1);
    await writeFile(join(folder, "client.key"), KEY);
    const kubeconfig = await write({
      cluster: { "certificate-authority": "ca.crt" },
      user: { "client-certificate": "client.crt", "client-key": "client.key" },
    });
    const clock = createManualClock();
    const access = await loadKubeConfig({ kubeconfig, clock });
    expect((await access.credentials()).tls).toMatchObject({ ca: CA, cert: CERT_1 });
    await writeFile(join(folder, "client.crt"), CERT_2);
    expect((await access.credentials()).tls.cert).toBe(CERT_1);
    await clock.advance(30_000);
    expect((await access.credentials()).tls.cert).toBe(CERT_2);
  });

  it("prefers inline data to a file that it names, as client-go does", async () => {
    await writeFile(join(folder, "other.crt"), CERT_2);
    const access = await load({
      cluster: { "certificate-authority": "other.crt", "certificate-authority-data": base64(CA) },
      user: {
        "client-certificate": "absent.crt",
        "client-certificate-data": base64(CERT_1),
        "client-key-data": base64(KEY),
      },
    });
    expect((await access.credentials()).tls).toMatchObject({ ca: CA, cert: CERT_1 });
  });

  it("prefers a token file to a token, and uses the token if there is no file", async () => {
    await writeFile(join(folder, "token"), "from-file");
    const both = await load({ user: { tokenFile: "token", token: "written" } });
    expect((await both.credentials()).headers.authorization).toBe("Bearer from-file");
    const absent = await load({ user: { tokenFile: "absent", token: "written" } });
    expect((await absent.credentials()).headers.authorization).toBe("Bearer written");
  });

  it("without a user sends no credentials, and still has the cluster's CA", async () => {
    const file = join(folder, "anonymous");
    const cluster = {
      server: "https://10.0.0.1:6443",
      "certificate-authority-data": base64(CA),
      "tls-server-name": "api.local",
    };
    const config = {
      clusters: [{ name: "c", cluster }],
      contexts: [{ name: "here", context: { cluster: "c" } }],
      "current-context": "here",
    };
    await writeFile(file, JSON.stringify(config));
    const access = await loadKubeConfig({ kubeconfig: file, clock: createManualClock() });
    expect(await access.credentials()).toEqual({
      headers: {},
      tls: { ca: CA, servername: "api.local" },
    });
  });

  it("reads a token file relative to itself, without the trailing line break", async () => {
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

  it("follows a kubeconfig that is rewritten", async () => {
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

  it("reports that a credential plug-in failed, and tries it again next time", async () => {
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

  it("uses plain HTTP if the kubeconfig says so", async () => {
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

  it("accepts --master alone, without credentials", async () => {
    const access = await loadKubeConfig({
      master: "http://127.0.0.1:8080",
      clock: createManualClock(),
    });
    expect(access.server).toBe("http://127.0.0.1:8080");
    expect((await access.credentials()).headers).toEqual({});
  });

  it("uses the pod's service account if neither is given", async () => {
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "fd00::1");
    vi.stubEnv("KUBERNETES_SERVICE_PORT", "443");
    const access = await loadKubeConfig({ clock: createManualClock() });
    expect(access.server).toBe("https://[fd00::1]:443");
    expect(access.source).toBe("the pod's service account");
  });
});

/** Returns YAML with one cluster and one user. */
function config(cluster: string, user: string): string {
  return `clusters: [{name: a, ${cluster}}]\nusers: [{name: u, user: ${user}}]\ncontexts: [{name: x, context: {cluster: a, user: u}}]\ncurrent-context: x`;
}

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

  it("is reported if the file does not exist", async () => {
    const missing = loadKubeConfig({ kubeconfig: "/none/such", clock: createManualClock() });
    await expect(missing).rejects.toThrow(/\/none\/such cannot be used: ENOENT/);
  });

  it.each([
    ["is empty", "", "cannot be used: it is empty; check the path and the file."],
    ["is no list of settings", "hello", "cannot be used: it is not a kubeconfig; check"],
    ["is no YAML", "a: [", "cannot be used"],
    ["is a line of something else", "a b\nc: d", "at line 1, column 1; check the path"],
    ["is something else", "kind: Pod", "no cluster in its current context"],
    ["has a cluster without server", "clusters: [{name: a, cluster: {}}]", "server is missing"],
    ["speaks another protocol", config("cluster: {server: 'ftp://a'}", "{}"), "is not a URL"],
    [
      "names a CA that is not there",
      config("cluster: {server: 'https://a', certificate-authority: /none/ca.crt}", "{}"),
      "/none/ca.crt",
    ],
    [
      "has a CA that is none",
      config("cluster: {server: 'https://a', certificate-authority-data: Z2FyYmFnZQ==}", "{}"),
      "PEM",
    ],
    [
      "names a certificate that is not there",
      config(
        "cluster: {server: 'https://a'}",
        "{client-certificate: /none/a.crt, client-key: /none/a.key}",
      ),
      "/none/a.crt",
    ],
    [
      "has a key that is none",
      config("cluster: {server: 'https://a'}", "{client-key-data: Z2FyYmFnZQ==}"),
      "check its certificates, its key",
    ],
    [
      "names a token file that is not there",
      config("cluster: {server: 'https://a'}", "{tokenFile: /none/token}"),
      "/none/token",
    ],
    [
      "names a user that it does not have",
      "clusters: [{name: a, cluster: {server: 'https://a'}}]\ncontexts: [{name: x, context: {cluster: a, user: u}}]\ncurrent-context: x",
      "names the user u",
    ],
    [
      "impersonates groups",
      "clusters: [{name: a, cluster: {server: 'https://a'}}]\nusers: [{name: u, user: {as: b, as-groups: [c]}}]\ncontexts: [{name: x, context: {cluster: a, user: u}}]\ncurrent-context: x",
      "as-groups",
    ],
  ])("is reported with the cause if it %s", async (_, text, words) => {
    const message = await problem(text);
    expect(message).toContain(words);
    expect(message.split("\n")).toHaveLength(1);
  });

  it("is never quoted: its lines may hold a token", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
    expect(
      await problem("users: [{name: u, user: {token: !mine s3cret}}]\nclusters: {"),
    ).not.toContain("s3cret");
    expect(warn).not.toHaveBeenCalled();
  });

  it("is reported with what to give if there is none and no pod", async () => {
    vi.stubEnv("KUBERNETES_SERVICE_HOST", "");
    await expect(loadKubeConfig({ clock: createManualClock() })).rejects.toThrow(/--kubeconfig/);
  });
});
