import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import type { FlagValues } from "../flags/definitions/all.ts";
import { CIPHER_NAMES, CURVE_NAMES, MIN_VERSIONS } from "../flags/tls-names.ts";
import { PlainError } from "../plain-error.ts";

/** The name under which upstream keeps its pair in `--cert-dir`. */
const PAIR_NAME = "cloud-controller-manager";
const VALID_DAYS = 365;

/**
 * How our HTTPS server proves who it is (spec/00 §5.4): the named files, else the pair in `--cert-dir`, else a self-signed
 * pair for localhost that lives in memory. `clientCa` answers whom callers' certificates are verified against, PEM. Throws
 * PlainError for a file that cannot be read or is no pair.
 */
export async function tlsMaterial(
  flags: FlagValues,
  clientCa: () => readonly string[] = () => [],
): Promise<ServerOptions> {
  const pair = await findPair(flags);
  requirePair(pair);
  return {
    cert: pair.cert,
    key: pair.key,
    minVersion: MIN_VERSIONS.get(flags["tls-min-version"]) ?? "TLSv1.2",
    ...ciphers(flags["tls-cipher-suites"]),
    ...curves(flags["tls-curve-preferences"]),
    ...namedPairs(flags["tls-sni-cert-key"], clientCa),
  };
}

interface Pair {
  readonly cert: string;
  readonly key: string;
  readonly source: string;
}

async function findPair(flags: FlagValues): Promise<Pair> {
  const { "tls-cert-file": certFile, "tls-private-key-file": keyFile, "cert-dir": folder } = flags;
  if (certFile !== "") return readPair(certFile, keyFile);
  if (folder === "") return await selfSigned();
  const kept = [join(folder, `${PAIR_NAME}.crt`), join(folder, `${PAIR_NAME}.key`)] as const;
  if (!kept.every((file) => existsSync(file))) keepPair(folder, kept, await selfSigned());
  return readPair(...kept);
}

async function selfSigned(): Promise<Pair> {
  // Loaded only now: whoever brings a pair need not hold a certificate authority.
  // The bundle of a CommonJS package has its names under `default` alone.
  const { default: selfsigned } = await import("selfsigned");
  const notBeforeDate = new Date(Date.now() - 3_600_000);
  const notAfterDate = new Date(notBeforeDate.getTime() + VALID_DAYS * 86_400_000);
  const { cert, private: key } = await selfsigned.generate(
    [{ name: "commonName", value: "localhost" }],
    {
      keyType: "ec",
      curve: "P-256",
      algorithm: "sha256",
      notBeforeDate,
      notAfterDate,
      extensions: [
        { name: "basicConstraints", cA: false },
        { name: "keyUsage", digitalSignature: true },
        { name: "extKeyUsage", serverAuth: true },
        {
          name: "subjectAltName",
          altNames: [
            { type: 2, value: "localhost" },
            { type: 7, ip: "127.0.0.1" },
          ],
        },
      ],
    },
  );
  return { cert, key, source: "the self-signed certificate" };
}

function keepPair(
  folder: string,
  [certFile, keyFile]: readonly [string, string],
  pair: Pair,
): void {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(keyFile, pair.key, { mode: 0o600 });
    writeFileSync(certFile, pair.cert);
  } catch (cause) {
    throw new PlainError(
      `--cert-dir=${folder} cannot keep a certificate (${messageOf(cause)}): give a writable folder, or leave the flag out.`,
      { cause },
    );
  }
}

function readPair(certFile: string, keyFile: string): Pair {
  return {
    cert: readText("--tls-cert-file", certFile),
    key: readText("--tls-private-key-file", keyFile),
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
function namedPairs(entries: readonly string[], clientCa: () => readonly string[]): ServerOptions {
  if (entries.length === 0) return {};
  const named = entries.map((entry) => {
    const [files = "", names = ""] = entry.split(":");
    const [certFile = "", keyFile = ""] = files.split(",");
    const pair = readPair(certFile, keyFile);
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
