import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { int, oneOf } from "../flags/kinds.ts";
import { createAuthority, createServingCertificate } from "../http/certificates.ts";
import { PlainError, readNamedFile } from "../plain-error.ts";
import {
  FAILURE_POLICIES,
  type FailurePolicy,
  type Registration,
  registrationText,
} from "../webhooks/registration.ts";
import { option } from "./terminal/options.ts";
import { print, writeOut } from "./terminal/print.ts";

const SERVICE = "cloud-controller-manager-webhook";
const NAMESPACE = "kube-system";
const SELECTOR = "k8s-app=cloud-controller-manager";
const WEBHOOK_PORT = 10_260;
const YEAR_DAYS = 365;
/** A certificate cannot name a year after 9999. */
const MOST_DAYS = 36_500;

/** `cloudwright webhook`: creates what an API server needs to call the webhooks of `cloudwright controller --webhooks`. */
export function addWebhookCommand(root: Command): void {
  const webhook = root
    .command("webhook")
    .description("create certificates for, and register, the webhook that labels new volumes");
  webhook
    .command("certificates")
    .description("create a certificate authority and a certificate for the webhook's server")
    .requiredOption(
      "--out <folder>",
      "the directory to which ca.crt, tls.crt and tls.key are written",
    )
    .option("--service <name>", "the Service in front of the webhook", SERVICE)
    .option("--namespace <name>", "the Service's namespace", NAMESPACE)
    .option("--host <name>", "an additional host name or address; repeatable", more, [])
    .option("--days <n>", "how many days they are valid", option(int(1, MOST_DAYS)), YEAR_DAYS)
    .action(writeCertificates);
  webhook
    .command("manifest")
    .description("print the webhook configuration to register with kubectl apply")
    .requiredOption(
      "--ca <file>",
      "the certificate authority in PEM: the ca.crt of the certificates",
    )
    .option("--service <name>", "the Service in front of the webhook", SERVICE)
    .option("--namespace <name>", "the Service's namespace", NAMESPACE)
    .option("--selector <label>", "key=value of the controller's pods", SELECTOR)
    .option(
      "--port <n>",
      "the controller's --webhook-secure-port",
      option(int(1, 65_535)),
      WEBHOOK_PORT,
    )
    .option(
      "--url <url>",
      "the URL of the webhook, if the API server does not reach it through a Service",
    )
    .option(
      "--failure-policy <policy>",
      `whether volumes can be created while the webhook does not answer: ${FAILURE_POLICIES.join(", ")}`,
      option(oneOf(FAILURE_POLICIES)),
      "Ignore",
    )
    .action((flags: ManifestFlags) => print(registrationText(registrationOf(flags))));
}

interface CertificateFlags {
  readonly out: string;
  readonly service: string;
  readonly namespace: string;
  readonly host: readonly string[];
  readonly days: number;
}

/** The authority's key is not kept: to renew the certificate, create a new authority and apply the manifest again. */
async function writeCertificates(flags: CertificateFlags): Promise<void> {
  const { out, service, namespace, host, days } = flags;
  const [ca, certificate, key] = ["ca.crt", "tls.crt", "tls.key"].map((name) => join(out, name));
  if (ca === undefined || certificate === undefined || key === undefined) return;
  const taken = [ca, certificate, key].find((file) => existsSync(file));
  if (taken !== undefined) {
    throw new PlainError(`${taken} already exists: choose another --out, or remove the old files.`);
  }
  const name = `${service}.${namespace}.svc`;
  const authority = await createAuthority("Cloudwright webhook authority", days);
  const pair = await createServingCertificate(authority, [name, ...host], days);
  writeOut("--out", () => {
    mkdirSync(out, { recursive: true });
    writeFileSync(key, pair.key, { mode: 0o600 });
    writeFileSync(certificate, pair.certificate);
    writeFileSync(ca, authority.certificate);
  });
  await print(
    `Wrote ${ca}, ${certificate} and ${key}, for ${[name, ...host].join(", ")}, valid for ${days} days.\n`,
  );
}

interface ManifestFlags {
  readonly ca: string;
  readonly service: string;
  readonly namespace: string;
  readonly selector: string;
  readonly port: number;
  readonly url?: string;
  readonly failurePolicy: FailurePolicy;
}

function registrationOf(flags: ManifestFlags): Registration {
  const { ca, service, namespace, selector, port, url, failurePolicy } = flags;
  const shared = { caBundle: readAuthority(ca), failurePolicy };
  if (url !== undefined) return { ...shared, at: { url: httpsUrl(url) } };
  const at = { namespace, service, selector: labelOf(selector), targetPort: port };
  return { ...shared, at };
}

function readAuthority(file: string): string {
  const text = readNamedFile("--ca", file);
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new PlainError(
      `--ca=${file} contains no PEM certificate: give ca.crt of the certificates.`,
    );
  }
  return Buffer.from(text, "utf8").toString("base64");
}

/** API servers call webhooks only over TLS, and at exactly the given address. */
function httpsUrl(url: string): string {
  if (/^https:\/\/[^/?#\s]+\/[^?#\s]+$/.test(url)) return url;
  throw new PlainError(`--url is "${url}": it must be https://HOST:PORT/admit.`);
}

function labelOf(selector: string): Readonly<Record<string, string>> {
  const [key, value, ...others] = selector.split("=");
  if (key && value !== undefined && others.length === 0) return { [key]: value };
  throw new PlainError(`--selector is "${selector}": it must be one label, key=value.`);
}

function more(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
