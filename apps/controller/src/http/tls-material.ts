import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { dirname, join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import type { FlagValues } from "../flags/definitions/all.ts";
import { CIPHER_NAMES, CURVE_NAMES, MIN_VERSIONS } from "../flags/tls-names.ts";
import { PlainError } from "../plain-error.ts";
import { selfSignedFor } from "./certificates.ts";

/** What the flags of a server begin with: those of health and metrics, and those of webhooks. */
type ServerPrefix = "" | "webhook-";

/** The names under which upstream keeps its pairs in `--cert-dir` and `--webhook-cert-dir`. */
const PAIR_NAMES: Record<ServerPrefix, string> = {
  "": "cloud-controller-manager",
  "webhook-": "cloud-controller-manager-webhook",
};

/** Answers whom callers' certificates are verified against, PEM. */
type Authorities = () => readonly string[];
const NOBODY: Authorities = () => [];

/**
 * How our HTTPS server proves who it is (spec/00 §5.4): the named files, else the pair in `--cert-dir`, else a self-signed
 * pair for localhost that lives in memory. Throws PlainError for a file that cannot be read or is no pair.
 */
export function tlsMaterial(
  flags: FlagValues,
  clientCa: Authorities = NOBODY,
): Promise<ServerOptions> {
  return material(flags, { prefix: "", clientCa });
}

/** The same of the server of webhooks, which asks nobody who they are (spec/00 §5.5). */
export function webhookTlsMaterial(flags: FlagValues): Promise<ServerOptions> {
  return material(flags, { prefix: "webhook-", clientCa: NOBODY });
}

interface ServerKind {
  readonly prefix: ServerPrefix;
  readonly clientCa: Authorities;
}

async function material(flags: FlagValues, kind: ServerKind): Promise<ServerOptions> {
  const { prefix } = kind;
  const pair = await findPair(flags, prefix);
  requirePair(pair);
  return {
    cert: pair.cert,
    key: pair.key,
    minVersion: MIN_VERSIONS.get(flags[`${prefix}tls-min-version`]) ?? "TLSv1.2",
    ...ciphers(flags[`${prefix}tls-cipher-suites`]),
    ...curves(flags[`${prefix}tls-curve-preferences`]),
    ...namedPairs(flags, kind),
  };
}

interface Pair {
  readonly cert: string;
  readonly key: string;
  readonly source: string;
}

async function findPair(flags: FlagValues, prefix: ServerPrefix): Promise<Pair> {
  const certFile = flags[`${prefix}tls-cert-file`];
  if (certFile !== "") {
    return readPair(prefix, [certFile, flags[`${prefix}tls-private-key-file`]]);
  }
  const folder = flags[`${prefix}cert-dir`];
  if (folder === "") return await localhostPair();
  const name = PAIR_NAMES[prefix];
  const kept = [join(folder, `${name}.crt`), join(folder, `${name}.key`)] as const;
  if (!kept.every((file) => existsSync(file))) {
    keepPair(`--${prefix}cert-dir=${folder}`, kept, await localhostPair());
  }
  return readPair(prefix, kept);
}

async function localhostPair(): Promise<Pair> {
  const { certificate, key } = await selfSignedFor(["localhost", "127.0.0.1"]);
  return { cert: certificate, key, source: "the self-signed certificate" };
}

function keepPair(flag: string, [certFile, keyFile]: readonly [string, string], pair: Pair): void {
  try {
    mkdirSync(dirname(keyFile), { recursive: true });
    writeFileSync(keyFile, pair.key, { mode: 0o600 });
    writeFileSync(certFile, pair.cert);
  } catch (cause) {
    throw new PlainError(
      `${flag} cannot keep a certificate (${messageOf(cause)}): give a writable folder, or leave the flag out.`,
      { cause },
    );
  }
}

function readPair(prefix: ServerPrefix, [certFile, keyFile]: readonly [string, string]): Pair {
  return {
    cert: readText(`--${prefix}tls-cert-file`, certFile),
    key: readText(`--${prefix}tls-private-key-file`, keyFile),
    source: `${certFile} with ${keyFile}`,
  };
}

function readText(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new PlainError(`${flag} cannot be read (${messageOf(cause)}): check the path.`, {
      cause,
    });
  }
}

function requirePair(pair: Pair): SecureContext {
  try {
    return createSecureContext({ cert: pair.cert, key: pair.key });
  } catch (cause) {
    throw new PlainError(
      `${pair.source} is no certificate with its key (${messageOf(cause)}): check both files.`,
      { cause },
    );
  }
}

function ciphers(names: readonly string[]): ServerOptions {
  if (names.length === 0) return {};
  return { ciphers: names.map((name) => CIPHER_NAMES.get(name) ?? name).join(":") };
}

function curves(numbers: readonly number[]): ServerOptions {
  if (numbers.length === 0) return {};
  return { ecdhCurve: numbers.map((number) => CURVE_NAMES.get(number) ?? "").join(":") };
}

/** `certificate,key:name,name`; without names those that the certificate itself carries. */
function namedPairs(flags: FlagValues, { prefix, clientCa }: ServerKind): ServerOptions {
  const entries = flags[`${prefix}tls-sni-cert-key`];
  if (entries.length === 0) return {};
  const named = entries.map((entry) => {
    const [files = "", names = ""] = entry.split(":");
    const [certFile = "", keyFile = ""] = files.split(",");
    const pair = readPair(prefix, [certFile, keyFile]);
    requirePair(pair);
    const certificate = new X509Certificate(pair.cert);
    const wanted = names === "" ? [] : names.split(",");
    const serves = (name: string) =>
      wanted.length === 0 ? certificate.checkHost(name) !== undefined : wanted.includes(name);
    return { contextFor: contextsOf(pair), serves };
  });
  return {
    SNICallback: (name, done) =>
      done(null, named.find((pair) => pair.serves(name))?.contextFor(clientCa())),
  };
}

/** The context decides whom callers' certificates are verified against, so there is a new one when that changes. */
function contextsOf({ cert, key }: Pair): (clientCa: readonly string[]) => SecureContext {
  let last: { readonly ca: string; readonly context: SecureContext } | undefined;
  return (clientCa) => {
    const ca = clientCa.join("\n");
    if (last?.ca !== ca) {
      const trusted = clientCa.length === 0 ? {} : { ca: [...clientCa] };
      last = { ca, context: createSecureContext({ cert, key, ...trusted }) };
    }
    return last.context;
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
