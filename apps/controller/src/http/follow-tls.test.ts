import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { createManualClock, type ManualClock } from "@cloudwright/core/model/testing/manual-clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FlagValues } from "../flags/definitions/all.ts";
import { defaults } from "../flags/parse-flags.ts";
import { createLog } from "../logging/log.ts";
import { startWebhookServer } from "../webhooks/webhook-server.ts";
import { createAuthority, createServingCertificate, type KeyPair } from "./certificates.ts";
import { followTls, type ServedTls } from "./follow-tls.ts";
import { startHttpsServer } from "./server.ts";
import { authority, clientPair } from "./testing/certificates.ts";
import { type TlsSource, tlsSource, webhookTlsSource } from "./tls-material.ts";

const POLL_MS = 10_000;
const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;

let folder: string;
let clock: ManualClock;
let lines: Record<string, unknown>[];
let endings: (() => unknown)[];
/** For each request to the health server: whether the caller's certificate was verified. */
let verified: (boolean | undefined)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloudwright-follow-tls-"));
  clock = createManualClock();
  lines = [];
  verified = [];
  endings = [() => rmSync(folder, { recursive: true, force: true })];
});

afterEach(async () => {
  for (const end of endings.reverse()) await end();
});

describe.each([
  ["the server of webhooks", "webhook-", serveWebhooks],
  ["the server of health and metrics", "", serveHealth],
] as const)("%s", (_, prefix, serve) => {
  it("serves a renewed pair to new callers without a restart", async () => {
    const first = await newPair();
    write(first.pair);
    const { port, tls } = await serve(namedFiles(prefix));
    expect(await shownTo(first.authority, port)).toBe(serialOf(first.pair));
    const second = await newPair();
    write(second.pair);
    await clock.advance(POLL_MS);
    expect(await shownTo(second.authority, port)).toBe(serialOf(second.pair));
    await expect(shownTo(first.authority, port)).rejects.toThrow();
    expect(tls.expiresAt()).toBe(Date.parse(new X509Certificate(second.pair.certificate).validTo));
    expect(reported("info")).toEqual(["A renewed certificate is in use"]);
  });

  it("keeps the last pair while the files contain none, logs that once, and takes the next one", async () => {
    const first = await newPair();
    write(first.pair);
    const { port, tls } = await serve(namedFiles(prefix));
    const second = await newPair();
    writeFileSync(join(folder, "tls.crt"), second.pair.certificate);
    await clock.advance(3 * POLL_MS);
    expect(await shownTo(first.authority, port)).toBe(serialOf(first.pair));
    expect(reported("error")).toEqual([
      "The certificate files cannot be used; the previous certificate stays in use",
    ]);
    expect(tls.problem()).toMatch(/tls\.crt with .*tls\.key is not a certificate with its key/);
    writeFileSync(join(folder, "tls.key"), second.pair.key);
    await clock.advance(POLL_MS);
    expect(await shownTo(second.authority, port)).toBe(serialOf(second.pair));
    expect(tls.problem()).toBeUndefined();
  });

  it("survives missing files, and logs when they are back", async () => {
    const { authority, pair } = await newPair();
    write(pair);
    const { port, tls } = await serve(namedFiles(prefix));
    renameSync(join(folder, "tls.key"), join(folder, "away"));
    await clock.advance(POLL_MS);
    expect(tls.problem()).toMatch(
      new RegExp(`^--${prefix}tls-private-key-file cannot be read .*ENOENT`),
    );
    expect(await shownTo(authority, port)).toBe(serialOf(pair));
    renameSync(join(folder, "away"), join(folder, "tls.key"));
    await clock.advance(POLL_MS);
    expect(tls.problem()).toBeUndefined();
    expect(reported("info")).toEqual(["The certificate in the files is in use again"]);
  });
});

describe.each([
  ["the server of webhooks", "webhook-", serveWebhooks],
  ["the server of health and metrics", "", serveHealth],
] as const)("a pair of its own making at %s", (_, prefix, serve) => {
  it.each([
    ["in memory", () => ({})],
    ["in --cert-dir", () => ({ [`${prefix}cert-dir`]: folder })],
  ])("is made anew %s a month before it ends, and shown then", async (_place, flags) => {
    const { port, tls } = await serve(flags());
    const first = await shownToAnybody(port);
    const endsAt = tls.expiresAt();
    await clock.jump(endsAt - MONTH_MS - 1 - clock.now());
    expect(await shownToAnybody(port)).toBe(first);
    await clock.jump(POLL_MS);
    await vi.waitFor(() => expect(tls.expiresAt()).toBeGreaterThan(endsAt + 300 * DAY_MS), 20_000);
    expect(await shownToAnybody(port)).not.toBe(first);
    await clock.advance(3 * POLL_MS);
    expect(reported("info")).toEqual(["A renewed certificate is in use"]);
    expect(reported("error")).toEqual([]);
  });
});

it("keeps its pair while no new one can be written, and logs the reason once", async () => {
  const source = await tlsSource({ ...defaults(), "cert-dir": folder });
  const tls = follow(
    { read: source.read, renew: () => Promise.reject(new Error("The folder is full.")) },
    "https",
    () => undefined,
  );
  await clock.advance(3 * POLL_MS);
  expect(reported("error")).toHaveLength(1);
  expect(tls.problem()).toBe("The folder is full.");
  expect(tls.expiresAt()).toBe(source.read().expiresAt);
});

it("notices a change in a Secret's folder, where only the link changes", async () => {
  const [first, second] = [await newPair(), await newPair()];
  write(first.pair, "..one");
  write(second.pair, "..two");
  symlinkSync("..one", join(folder, "..data"));
  const { port } = await serveWebhooks(namedFiles("webhook-", "..data"));
  symlinkSync("..two", join(folder, "..next"));
  renameSync(join(folder, "..next"), join(folder, "..data"));
  await clock.advance(POLL_MS);
  expect(await shownTo(second.authority, port)).toBe(serialOf(second.pair));
});

it("serves renewed pairs by name as well", async () => {
  const [main, first, second] = [await newPair(), await newPair(), await newPair()];
  write(main.pair);
  write(first.pair, "named");
  const [cert, key] = filesIn("named");
  const { port } = await serveWebhooks({
    ...namedFiles("webhook-"),
    "webhook-tls-sni-cert-key": [`${cert},${key}:named.example`],
  });
  const named = { servername: "named.example" };
  expect(await shownTo(first.authority, port, named)).toBe(serialOf(first.pair));
  write(second.pair, "named");
  await clock.advance(POLL_MS);
  expect(await shownTo(second.authority, port, named)).toBe(serialOf(second.pair));
  expect(await shownTo(main.authority, port)).toBe(serialOf(main.pair));
});

it("keeps verifying client certificates against the same authorities when it serves another pair", async () => {
  const [first, second] = [await newPair(), await newPair()];
  write(first.pair);
  const { port, server } = await serveHealth(namedFiles(""));
  const callers = await authority("callers");
  server.trust([callers.cert]);
  write(second.pair);
  await clock.advance(POLL_MS);
  const caller = await clientPair(callers, { commonName: "somebody" });
  expect(await shownTo(second.authority, port, caller)).toBe(serialOf(second.pair));
  expect(verified).toEqual([true]);
});

type Flags = Partial<FlagValues>;

async function serveWebhooks(flags: Flags) {
  const source = await webhookTlsSource({ ...defaults(), ...flags });
  const server = await startWebhookServer({
    host: "127.0.0.1",
    port: 0,
    tls: source.read().options,
    webhooks: [],
    monotonic: () => 0,
    deadline: () => new AbortController().signal,
    onAnswer: () => undefined,
    onError: () => undefined,
  });
  endings.push(() => server.close());
  return { port: server.port, server, tls: follow(source, "webhooks", server.renew) };
}

async function serveHealth(flags: Flags) {
  const source = await tlsSource({ ...defaults(), ...flags });
  const server = await startHttpsServer({
    host: "127.0.0.1",
    port: 0,
    tls: source.read().options,
    asksForCertificates: true,
    pages: new Map(),
    access: async ({ certificate }) => {
      verified.push(certificate?.isVerified);
      return { kind: "allowed" };
    },
    onError: () => undefined,
  });
  endings.push(() => server.close());
  return { port: server.port, server, tls: follow(source, "https", server.renew) };
}

function follow(
  source: TlsSource,
  server: ServedTls["server"],
  onRenewed: Parameters<typeof followTls>[0]["onRenewed"],
): ServedTls {
  const write = (line: string) => lines.push(JSON.parse(line));
  const log = createLog({ format: "json", verbosity: 0, write });
  const tls = followTls({ server, source, clock, log, onRenewed });
  endings.push(tls.stop);
  return tls;
}

interface Made {
  /** PEM. */
  readonly authority: string;
  readonly pair: KeyPair;
}

/** Creates what `cloudwright webhook certificates` does: an authority with each pair. */
async function newPair(): Promise<Made> {
  const signer = await createAuthority("an authority", 1);
  const pair = await createServingCertificate(signer, ["localhost", "named.example"], 1);
  return { authority: signer.certificate, pair };
}

function filesIn(place: string): readonly [string, string] {
  return [join(folder, place, "tls.crt"), join(folder, place, "tls.key")];
}

function namedFiles(prefix: "" | "webhook-", place = ""): Flags {
  const [cert, key] = filesIn(place);
  return { [`${prefix}tls-cert-file`]: cert, [`${prefix}tls-private-key-file`]: key };
}

function write({ certificate, key }: KeyPair, place = ""): void {
  mkdirSync(join(folder, place), { recursive: true });
  const [certFile, keyFile] = filesIn(place);
  writeFileSync(keyFile, key);
  writeFileSync(certFile, certificate);
}

interface Caller {
  readonly servername?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Returns the certificate served to a probe, which trusts any certificate. */
function shownToAnybody(port: number): Promise<string> {
  return shownTo("", port, { rejectUnauthorized: false });
}

/** Returns the serial number of the certificate served to a caller that trusts only this authority. */
function shownTo(authority: string, port: number, caller: Caller = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      ca: authority,
      servername: "localhost",
      ...caller,
    });
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const { serialNumber } = socket.getPeerCertificate();
      socket.end("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
      socket.resume();
      socket.once("close", () => resolve(serialNumber));
    });
  });
}

function serialOf({ certificate }: KeyPair): string {
  return new X509Certificate(certificate).serialNumber;
}

function reported(level: "info" | "error"): unknown[] {
  return lines.filter((line) => line.level === level).map(({ msg }) => msg);
}
