import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { addWebhookCommand } from "./webhook.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-webhook-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command and returns its output. */
async function run(...args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, "write");
  write.mockImplementation((text: unknown, done?: unknown) => {
    printed.push(String(text));
    if (done instanceof Function) done();
    return true;
  });
  try {
    const root = new Command().exitOverride();
    addWebhookCommand(root);
    await root.parseAsync(["webhook", ...args], { from: "user" });
  } finally {
    write.mockRestore();
  }
  return printed.join("");
}

function read(name: string): string {
  return readFileSync(join(folder, "tls", name), "utf8");
}

it("makes a certificate signed by its authority, and a manifest that contains the authority", async () => {
  const out = join(folder, "tls");
  await run("certificates", "--out", out, "--host", "127.0.0.1", "--host", "ccm.example");
  const authority = new X509Certificate(read("ca.crt"));
  const certificate = new X509Certificate(read("tls.crt"));
  expect(authority.ca).toBe(true);
  expect(certificate.verify(authority.publicKey)).toBe(true);
  expect(certificate.checkHost("cloud-controller-manager-webhook.kube-system.svc")).toBeDefined();
  expect(certificate.checkHost("ccm.example")).toBeDefined();
  expect(certificate.checkIP("127.0.0.1")).toBeDefined();
  expect(statSync(join(out, "tls.key")).mode & 0o777).toBe(0o600);
  const manifest = await run("manifest", "--ca", join(out, "ca.crt"));
  const [service, registration] = parseAllDocuments(manifest).map((one) => one.toJS());
  expect(service).toMatchObject({ kind: "Service", spec: { ports: [{ targetPort: 10_260 }] } });
  const { caBundle } = registration.webhooks[0].clientConfig;
  expect(Buffer.from(caBundle, "base64").toString("utf8")).toBe(read("ca.crt"));
});

it("makes no certificate for longer than its format can say", async () => {
  const long = ["--out", join(folder, "tls"), "--days", "99999999"];
  await expect(run("certificates", ...long)).rejects.toThrow(/must be between 1 and 36500/);
});

it("does not overwrite a key that is in use", async () => {
  const out = join(folder, "tls");
  await run("certificates", "--out", out);
  const before = read("tls.key");
  await expect(run("certificates", "--out", out)).rejects.toThrow(/already exists/);
  expect(read("tls.key")).toBe(before);
});

it.each<[string, string[], RegExp]>([
  ["an authority that is not there", ["--ca", "absent"], /--ca cannot be read/],
  ["an authority that is none", ["--ca", "EMPTY"], /contains no PEM certificate/],
  ["an address without TLS", ["--ca", "PEM", "--url", "http://127.0.0.1/admit"], /--url/],
  ["an address without the path", ["--ca", "PEM", "--url", "https://127.0.0.1:10260"], /HOST:PORT/],
  ["an address of the host alone", ["--ca", "PEM", "--url", "https://ccm.example/"], /HOST:PORT/],
  ["a selector that is none", ["--ca", "PEM", "--selector", "app"], /--selector/],
])("refuses %s in one sentence", async (_, args, message) => {
  writeFileSync(join(folder, "EMPTY"), "");
  writeFileSync(join(folder, "PEM"), "-----BEGIN CERTIFICATE-----\n");
  const given = args.map((arg) => (/^[A-Z]+$/.test(arg) ? join(folder, arg) : arg));
  await expect(run("manifest", ...given)).rejects.toThrow(message);
});
