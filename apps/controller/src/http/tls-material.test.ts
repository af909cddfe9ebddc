import { X509Certificate } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FlagValues } from "../flags/definitions/all.ts";
import { defaults } from "../flags/parse-flags.ts";
import { createAuthority, createServingCertificate } from "./certificates.ts";
import { tlsSource } from "./tls-material.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-tls-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("creates a certificate for localhost in memory if none is given", async () => {
  const { cert } = await material({});
  const certificate = new X509Certificate(String(cert));
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
});

it("writes the pair to --cert-dir and reads it from there the next time", async () => {
  const certDir = join(folder, "certs");
  const first = await material({ "cert-dir": certDir });
  const second = await material({ "cert-dir": certDir });
  expect(second.cert).toBe(first.cert);
  expect(statSync(join(certDir, "cloud-controller-manager.key")).mode & 0o777).toBe(0o600);
  expect(existsSync(join(certDir, "cloud-controller-manager.crt"))).toBe(true);
});

describe("a pair in --cert-dir that is about to expire", () => {
  it("is renewed by one of the processes that share the folder, and read by the others", async () => {
    const flags = { ...defaults(), "cert-dir": folder };
    const [one, other] = [await tlsSource(flags), await tlsSource(flags)];
    const { expiresAt } = one.read();
    await Promise.all([one.renew(expiresAt), other.renew(expiresAt)]);
    expect(one.read().options.cert).toBe(other.read().options.cert);
    expect(one.read().expiresAt).toBeGreaterThan(expiresAt);
    const renewed = one.read();
    await other.renew(expiresAt);
    expect(other.read().options.cert).toBe(renewed.options.cert);
    expect(statSync(join(folder, "cloud-controller-manager.key")).mode & 0o777).toBe(0o600);
  });

  it("is left alone if somebody else has put it there", async () => {
    const signer = await createAuthority("somebody", 1);
    const theirs = await createServingCertificate(signer, ["localhost", "127.0.0.1"], 1);
    writeFileSync(join(folder, "cloud-controller-manager.crt"), theirs.certificate);
    writeFileSync(join(folder, "cloud-controller-manager.key"), theirs.key);
    const source = await tlsSource({ ...defaults(), "cert-dir": folder });
    await source.renew(source.read().expiresAt);
    expect(source.read().options.cert).toBe(theirs.certificate);
  });
});

it("does not renew a pair given by flags", async () => {
  const [certFile, keyFile] = await pair();
  const named = { "tls-cert-file": certFile, "tls-private-key-file": keyFile };
  const source = await tlsSource({ ...defaults(), ...named });
  const { options, expiresAt } = source.read();
  await source.renew(expiresAt);
  expect(source.read().options.cert).toBe(options.cert);
});

it("serves the given pair, and further pairs by name", async () => {
  const [certFile, keyFile] = await pair();
  const options = await material({
    "tls-cert-file": certFile,
    "tls-private-key-file": keyFile,
    "tls-sni-cert-key": [`${certFile},${keyFile}:ccm.example,*.wild.example`],
    "tls-min-version": "VersionTLS13",
    "tls-cipher-suites": ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"],
    "tls-curve-preferences": [29, 23],
  });
  expect(options).toMatchObject({
    cert: readFileSync(certFile, "utf8"),
    minVersion: "TLSv1.3",
    ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256",
    ecdhCurve: "X25519:P-256",
  });
  const contextOf = (name: string) =>
    new Promise((resolve) => options.SNICallback?.(name, (_, context) => resolve(context)));
  expect(await contextOf("ccm.example")).toBeDefined();
  expect(await contextOf("CCM.example")).toBeDefined();
  expect(await contextOf("a.wild.example")).toBeDefined();
  for (const name of ["other.example", "wild.example", "a.b.wild.example"]) {
    expect(await contextOf(name)).toBeUndefined();
  }
});

it.each([
  ["a file that is not there", "absent", /^--tls-cert-file cannot be read .*: check the path\.$/],
  ["a file that is no certificate", "junk", /is not a certificate with its key/],
])("refuses %s in one sentence", async (_, name, sentence) => {
  writeFileSync(join(folder, "junk"), "junk");
  const file = join(folder, name);
  await expect(material({ "tls-cert-file": file, "tls-private-key-file": file })).rejects.toThrow(
    sentence,
  );
});

async function material(flags: Partial<FlagValues>) {
  return (await tlsSource({ ...defaults(), ...flags })).read().options;
}

async function pair(): Promise<readonly [string, string]> {
  const certDir = join(folder, "pair");
  await material({ "cert-dir": certDir });
  return [
    join(certDir, "cloud-controller-manager.crt"),
    join(certDir, "cloud-controller-manager.key"),
  ];
}
