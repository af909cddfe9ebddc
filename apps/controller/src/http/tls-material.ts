import { createHash, randomUUID, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { dirname, join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { FlagValues } from "../flags/definitions/all.ts";
import { CIPHER_NAMES, CURVE_NAMES, MIN_VERSIONS } from "../flags/tls-names.ts";
import { PlainError, readNamedFile } from "../plain-error.ts";
import { selfSignedFor } from "./certificates.ts";

/** The prefix of a server's flags: that of health and metrics, and that of webhooks. */
type ServerPrefix = "" | "webhook-";

/** The names of upstream's pairs in `--cert-dir` and `--webhook-cert-dir`. */
const PAIR_NAMES: Record<ServerPrefix, string> = {
  "": "cloud-controller-manager",
  "webhook-": "cloud-controller-manager-webhook",
};

/** Returns the PEM authorities against which client certificates are verified. */
type Authorities = () => readonly string[];
const NO_AUTHORITIES: Authorities = () => [];

/** A server's certificates, as its files are at one time. */
export interface TlsMaterial {
  readonly options: ServerOptions;
  /** When the default certificate, served if no name matches, expires; milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Where a server's certificates come from. */
export interface TlsSource {
  /**
   * Reads the files; returns the previous result while they have not changed. Pairs by name are served as last read. Throws
   * PlainError for a file that cannot be read or does not contain a pair.
   */
  read(): TlsMaterial;
  /**
   * Renews the self-signed pair if it is ours and expires within a month of that time. Throws PlainError for files that cannot be
   * read or written.
   */
  renew(now: number): Promise<void>;
}

/**
 * Returns the certificates of our HTTPS server (spec/00 §5.4): those of the given files, else the pair in `--cert-dir`, else a
 * self-signed pair for localhost in memory. Throws PlainError for a file that cannot be read or does not contain a pair.
 */
export function tlsSource(
  flags: FlagValues,
  clientCa: Authorities = NO_AUTHORITIES,
): Promise<TlsSource> {
  return openSource(flags, { prefix: "", clientCa });
}

/** Returns the certificates of the webhook server, which does not authenticate callers (spec/00 §5.5). */
export function webhookTlsSource(flags: FlagValues): Promise<TlsSource> {
  return openSource(flags, { prefix: "webhook-", clientCa: NO_AUTHORITIES });
}

interface ServerKind {
  readonly prefix: ServerPrefix;
  readonly clientCa: Authorities;
}

async function openSource(flags: FlagValues, kind: ServerKind): Promise<TlsSource> {
  const { prefix } = kind;
  const main = await mainPair(flags, prefix);
  const named = flags[`${prefix}tls-sni-cert-key`].map((entry) => namedFiles(prefix, entry));
  let shown: readonly ShownPair[] = [];
  let last: (TlsMaterial & { readonly content: string }) | undefined;
  const fixed: ServerOptions = {
    minVersion: MIN_VERSIONS.get(flags[`${prefix}tls-min-version`]) ?? "TLSv1.2",
    ...ciphers(flags[`${prefix}tls-cipher-suites`]),
    ...curves(flags[`${prefix}tls-curve-preferences`]),
    ...(named.length === 0
      ? {}
      : {
          SNICallback: (name, done) =>
            done(null, shown.find((pair) => pair.serves(name))?.contextFor(kind.clientCa())),
        }),
  };
  const read = () => {
    const pair = main.read();
    const further = named.map(({ names, read }) => ({ names, pair: read() }));
    const content = contentOf([pair, ...further.map((each) => each.pair)]);
    if (last?.content === content) return last;
    requirePair(pair);
    shown = further.map(shownByName);
    const { cert, key } = pair;
    const expiresAt = Date.parse(new X509Certificate(cert).validTo);
    last = { options: { ...fixed, cert, key }, expiresAt, content };
    return last;
  };
  read();
  return { read, renew: main.renew };
}

/** Identifies the files' content without keeping further copies of keys. */
function contentOf(pairs: readonly Pair[]): string {
  const hash = createHash("sha256");
  for (const { cert, key } of pairs) hash.update(JSON.stringify([cert, key]));
  return hash.digest("hex");
}

interface Pair {
  readonly cert: string;
  readonly key: string;
  readonly source: string;
}

interface PairSource {
  read(): Pair;
  renew(now: number): Promise<void>;
}

/** Our own pair is renewed this long before it expires, so that clients with a copy of the certificate have time to update it. */
const RENEWED_BEFORE_MS = 30 * 86_400_000;

async function mainPair(flags: FlagValues, prefix: ServerPrefix): Promise<PairSource> {
  const certFlag = `--${prefix}tls-cert-file`;
  const certFile = flags[`${prefix}tls-cert-file`];
  if (certFile !== "") {
    const keyFlag = `--${prefix}tls-private-key-file`;
    const keyFile = flags[`${prefix}tls-private-key-file`];
    const read = () => readPair([certFlag, certFile], [keyFlag, keyFile]);
    return { read, renew: () => Promise.resolve() };
  }
  const folder = flags[`${prefix}cert-dir`];
  return folder === "" ? await pairInMemory() : await pairInFolder(folder, prefix);
}

async function pairInMemory(): Promise<PairSource> {
  let pair = await localhostPair();
  return {
    read: () => pair,
    renew: async (now) => {
      if (isDue(pair, now)) pair = await localhostPair(now);
    },
  };
}

async function pairInFolder(folder: string, prefix: ServerPrefix): Promise<PairSource> {
  const flag = `--${prefix}cert-dir`;
  const name = PAIR_NAMES[prefix];
  const kept = [join(folder, `${name}.crt`), join(folder, `${name}.key`)] as const;
  const keep = (pair: Pair) => keepPair(`${flag}=${folder}`, kept, pair);
  const read = () => readPair([flag, kept[0]], [flag, kept[1]]);
  const isOursAndDue = (now: number) => {
    const pair = read();
    return isOurs(pair) && isDue(pair, now);
  };
  if (!kept.every((file) => existsSync(file))) keep(await localhostPair());
  return {
    read,
    renew: async (now) => {
      if (!isOursAndDue(now)) return;
      const pair = await localhostPair(now);
      // Another process that shares the folder may have renewed it already.
      if (isOursAndDue(now)) keep(pair);
    },
  };
}

const OUR_HOSTS = ["localhost", "127.0.0.1"] as const;

async function localhostPair(at?: number): Promise<Pair> {
  const { certificate, key } = await selfSignedFor([...OUR_HOSTS], at);
  return { cert: certificate, key, source: "the self-signed certificate" };
}

/** Recognises pairs made by `localhostPair`. Users renew their own. */
function isOurs({ cert }: Pair): boolean {
  const certificate = certificateOf(cert);
  return (
    certificate?.subject === "CN=localhost" &&
    certificate.subjectAltName === "DNS:localhost, IP Address:127.0.0.1" &&
    certificate.verify(certificate.publicKey)
  );
}

function isDue({ cert }: Pair, now: number): boolean {
  const certificate = certificateOf(cert);
  return certificate !== undefined && Date.parse(certificate.validTo) - now <= RENEWED_BEFORE_MS;
}

/** Returns undefined for an invalid certificate. */
function certificateOf(cert: string): X509Certificate | undefined {
  try {
    return new X509Certificate(cert);
  } catch {
    return undefined;
  }
}

/** Writes the pair to temporary files first, so that a mismatched pair can only be read between two renames. */
function keepPair(flag: string, files: readonly [string, string], { cert, key }: Pair): void {
  const drafts = files.map((file) => `${file}.${randomUUID()}`);
  const [certFile, keyFile] = files;
  const [certDraft = "", keyDraft = ""] = drafts;
  try {
    mkdirSync(dirname(keyFile), { recursive: true });
    writeFileSync(keyDraft, key, { mode: 0o600 });
    writeFileSync(certDraft, cert);
    renameSync(keyDraft, keyFile);
    renameSync(certDraft, certFile);
  } catch (cause) {
    for (const draft of drafts) rmSync(draft, { force: true });
    throw new PlainError(
      `${flag} cannot store a certificate (${messageOf(cause)}): give a writable directory, or remove the flag.`,
      { cause },
    );
  }
}

/** A flag with the file that it names. */
type FlagFile = readonly [flag: string, file: string];

function readPair(cert: FlagFile, key: FlagFile): Pair {
  return {
    cert: readNamedFile(...cert),
    key: readNamedFile(...key),
    source: `${cert[1]} with ${key[1]}`,
  };
}

function requirePair(pair: Pair): SecureContext {
  try {
    return createSecureContext({ cert: pair.cert, key: pair.key });
  } catch (cause) {
    throw new PlainError(
      `${pair.source} is not a certificate with its key (${messageOf(cause)}): check both files.`,
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

interface NamedFiles {
  readonly names: readonly string[];
  read(): Pair;
}

/** `certificate,key:name,name`; without names, those in the certificate. */
function namedFiles(prefix: ServerPrefix, entry: string): NamedFiles {
  const flag = `--${prefix}tls-sni-cert-key`;
  const [files = "", names = ""] = entry.split(":");
  const [certFile = "", keyFile = ""] = files.split(",").map((file) => file.trim());
  return {
    names: names === "" ? [] : names.split(",").map((name) => name.trim()),
    read: () => readPair([flag, certFile], [flag, keyFile]),
  };
}

interface ShownPair {
  serves(name: string): boolean;
  contextFor(clientCa: readonly string[]): SecureContext;
}

function shownByName({ names, pair }: { names: readonly string[]; pair: Pair }): ShownPair {
  requirePair(pair);
  const certificate = new X509Certificate(pair.cert);
  return {
    serves: (name) =>
      names.length === 0
        ? certificate.checkHost(name) !== undefined
        : names.some((pattern) => isMeantBy(pattern, name)),
    contextFor: contextsOf(pair),
  };
}

/** `*.example.org` matches names with exactly one more label, as in a certificate. */
function isMeantBy(pattern: string, name: string): boolean {
  const [wanted, asked] = [pattern.toLowerCase(), name.toLowerCase()];
  if (!wanted.startsWith("*.")) return wanted === asked;
  const [first = "", ...rest] = asked.split(".");
  return first !== "" && rest.join(".") === wanted.slice(2);
}

/** The context contains the authorities that client certificates are verified against, so a change of those needs a new context. */
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
