import {
  createHash,
  createPrivateKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { promisify } from "node:util";
import {
  bits,
  contextTag,
  element,
  elementsOf,
  objectIdentifier,
  sequence,
  TAG,
  text,
  time,
} from "./der.ts";
import { authorityExtensions, keyIdentifiers, servingExtensions } from "./extensions.ts";

/** PEM texts. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** A clock that is a little behind still accepts a certificate made just now. */
const BACKDATED_MS = 3_600_000;
const SELF_SIGNED_DAYS = 365;

/** A certificate that vouches for itself, good for a year from that time on; hosts are names or addresses. */
export function selfSignedFor(
  hosts: readonly [string, ...string[]],
  at: number = Date.now(),
): Promise<KeyPair> {
  return issue(hosts[0], { days: SELF_SIGNED_DAYS, extensions: servingExtensions(hosts), at });
}

/** A certificate authority of its own. */
export function createAuthority(commonName: string, days: number): Promise<KeyPair> {
  return issue(commonName, { days, extensions: authorityExtensions() });
}

/** A serving certificate that the authority, one of `createAuthority`, vouches for; hosts are names or addresses. */
export function createServingCertificate(
  authority: KeyPair,
  hosts: readonly [string, ...string[]],
  days: number,
): Promise<KeyPair> {
  return issue(hosts[0], { days, extensions: servingExtensions(hosts), authority });
}

interface Contents {
  readonly days: number;
  readonly extensions: readonly Buffer[];
  /** Who vouches for it; itself unless given. */
  readonly authority?: KeyPair;
  /** When it is made; now unless given. */
  readonly at?: number;
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
const COMMON_NAME = "2.5.4.3";
/** Version 3, the one with extensions. */
const VERSION = element(contextTag(0, true), element(TAG.integer, Buffer.from([2])));
const newKeys = promisify(generateKeyPair);

/**
 * Written here because a package that does it takes a fifth of a controller's start: it brings all that certificates can be along,
 * and we make one kind.
 */
async function issue(
  commonName: string,
  { days, extensions, authority, at = Date.now() }: Contents,
): Promise<KeyPair> {
  const { publicKey, privateKey } = await newKeys("ec", { namedCurve: "P-256" });
  const subject = nameOf(commonName);
  const issuer = authority === undefined ? { name: subject, publicKey } : issuerOf(authority);
  const from = at - BACKDATED_MS;
  const contents = sequence(
    VERSION,
    element(TAG.integer, serialNumber()),
    ECDSA_WITH_SHA256,
    issuer.name,
    sequence(time(new Date(from)), time(new Date(from + days * DAY_MS))),
    subject,
    spki(publicKey),
    element(
      contextTag(3, true),
      sequence(...extensions, ...keyIdentifiers(keyId(publicKey), keyId(issuer.publicKey))),
    ),
  );
  const key = authority === undefined ? privateKey : createPrivateKey(authority.key);
  const signature = bits(sign("sha256", contents, key));
  return {
    certificate: pem(sequence(contents, ECDSA_WITH_SHA256, signature)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function nameOf(commonName: string): Buffer {
  const value = text(TAG.utf8String, commonName);
  return sequence(element(TAG.set, sequence(objectIdentifier(COMMON_NAME), value)));
}

/** Its name is copied as it is written in its certificate, which is how others find the one that vouches. */
function issuerOf(authority: KeyPair): { name: Buffer; publicKey: KeyObject } {
  const certificate = new X509Certificate(authority.certificate);
  const [contents = Buffer.alloc(0)] = elementsOf(certificate.raw);
  // Version, serial number, algorithm, issuer, validity, subject.
  const name = elementsOf(contents)[5] ?? Buffer.alloc(0);
  return { name, publicKey: certificate.publicKey };
}

/** Positive, and as short as any other: the first bit is 0 and the second one 1. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return bytes;
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

/** RFC 7093, method 1: without SHA-1, which a strict OpenSSL does not have. */
function keyId(key: KeyObject): Buffer {
  const point = elementsOf(spki(key))[1]?.subarray(3) ?? Buffer.alloc(0);
  return createHash("sha256").update(point).digest().subarray(0, 20);
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
