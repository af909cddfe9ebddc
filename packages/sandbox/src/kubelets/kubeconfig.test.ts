import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readKubeconfig } from "./kubeconfig.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
  file = join(folder, "config");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function config(cluster: object, user: object) {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "here",
    contexts: [
      { name: "there", context: { cluster: "none", user: "none" } },
      { name: "here", context: { cluster: "c", user: "u", namespace: "default" } },
    ],
    clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:6443/", ...cluster } }],
    users: [{ name: "u", user }],
  };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a kubeconfig", () => {
  it("returns certificates that it holds as data", async () => {
    const cluster = { "certificate-authority-data": base64("CA"), "tls-server-name": "kube" };
    const user = { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") };
    await writeFile(file, stringify(config(cluster, user)));
    expect(await readKubeconfig(file)).toEqual({
      server: "https://127.0.0.1:6443",
      serverName: "kube",
      insecure: false,
      ca: "CA",
      cert: "CERT",
      key: "KEY",
      token: undefined,
    });
  });

  it("returns certificates and a token from files beside it", async () => {
    await writeFile(join(folder, "ca.pem"), "CA");
    await writeFile(join(folder, "token"), "secret\n");
    const cluster = { "certificate-authority": "ca.pem", "insecure-skip-tls-verify": true };
    await writeFile(file, stringify(config(cluster, { tokenFile: "token" })));
    expect(await readKubeconfig(file)).toMatchObject({ ca: "CA", token: "secret", insecure: true });
  });

  it.each([
    ["current-context: none\ncontexts: []\nclusters: []\nusers: []\n", /no entry named none/],
    ["current-context: 5\n", /field current-context is not valid/],
    ["", /cannot be used/],
    ["a: [", /cannot be read/],
  ])("that reads %j is refused in one sentence", async (text, message) => {
    await writeFile(file, text);
    await expect(readKubeconfig(file)).rejects.toThrow(message);
  });

  it("that is missing is named", async () => {
    await expect(readKubeconfig(file)).rejects.toThrow(`The kubeconfig ${file} cannot be read`);
  });
});
