import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { z } from "zod";
import type { CaBundle, ClientAuthorities, FrontProxy } from "./client-authorities.ts";

/** The client certificate of a TLS handshake. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Whether TLS found a valid chain from it to a trusted certificate. */
  readonly isVerified: boolean;
  /** SHA-256 fingerprints of its chain of issuers; the last one is self-signed. */
  readonly signers: readonly string[];
}

/** Returns undefined if the caller has sent none. */
export function clientCertificate(
  socket: Pick<TLSSocket, "authorized" | "getPeerCertificate">,
): ClientCertificate | undefined {
  const certificate = socket.getPeerCertificate(true);
  // For no certificate, Node returns an empty object, whatever its type says.
  if (certificate?.subject === undefined) return undefined;
  const { CN, O } = certificate.subject as Readonly<Record<string, string | string[] | undefined>>;
  return {
    commonName: listOf(CN)[0] ?? "",
    organizations: listOf(O),
    isVerified: socket.authorized,
    signers: signersOf(certificate),
  };
}

/** The values of each header by its lower-case name. Node's own object joins repeated headers, from which no name may be read. */
export type Headers = ReadonlyMap<string, readonly string[]>;

/** Reads Node's list of alternating names and values. */
export function headersOf(raw: readonly string[]): Headers {
  const headers = new Map<string, readonly string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[at + 1] ?? ""]);
  }
  return headers;
}

/**
 * Identifies a caller by certificate (spec/00 §13): as the caller named by a front proxy, else by its common name with its
 * organisations as groups. Returns `nobody` for a certificate that no authority of ours signed, and undefined if it names no one.
 */
export function certifiedCaller(
  certificate: ClientCertificate,
  headers: Headers,
  { clients, frontProxy }: ClientAuthorities,
): Caller | "nobody" | undefined {
  if (clients === undefined && frontProxy === undefined) return undefined;
  const isProxy = frontProxy !== undefined && isThisProxy(certificate, frontProxy);
  const named = isProxy ? namedInHeaders(headers, frontProxy) : undefined;
  if (named !== undefined) return named;
  if (clients === undefined || !isSignedBy(certificate, clients)) {
    return isProxy ? undefined : "nobody";
  }
  const { commonName: username, organizations } = certificate;
  if (username === "") return undefined;
  return { username, groups: [...organizations, "system:authenticated"] };
}

function isThisProxy(certificate: ClientCertificate, { ca, allowedNames }: FrontProxy): boolean {
  if (!isSignedBy(certificate, ca)) return false;
  return allowedNames.length === 0 || allowedNames.includes(certificate.commonName);
}

/** TLS trusts all authorities alike, so this checks which of them has signed. */
function isSignedBy({ isVerified, signers }: ClientCertificate, ca: CaBundle): boolean {
  const root = signers.at(-1);
  return isVerified && root !== undefined && ca.fingerprints.has(root);
}

function namedInHeaders(headers: Headers, proxy: FrontProxy): Caller | undefined {
  const [username] = valuesOf(headers, proxy.usernameHeaders);
  if (username === undefined) return undefined;
  const [uid] = valuesOf(headers, proxy.uidHeaders);
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: [...valuesOf(headers, proxy.groupHeaders), "system:authenticated"],
    extra: extraOf(headers, proxy.extraHeaderPrefixes),
  };
}

function valuesOf(headers: Headers, names: readonly string[]): readonly string[] {
  return names
    .flatMap((name) => headers.get(name.toLowerCase()) ?? [])
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

function extraOf(
  headers: Headers,
  prefixes: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const extra: Record<string, readonly string[]> = {};
  for (const prefix of prefixes.map((each) => each.toLowerCase())) {
    for (const name of [...headers.keys()].filter((each) => each.startsWith(prefix))) {
      const key = decoded(name.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), ...valuesOf(headers, [name])];
    }
  }
  return extra;
}

/** Decodes a key of the extras: characters not allowed in header names are percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function signersOf(certificate: DetailedPeerCertificate): readonly string[] {
  const signers: string[] = [];
  let at = certificate;
  // A self-signed certificate is its own issuer.
  while (at.issuerCertificate !== undefined && at.issuerCertificate !== at) {
    at = at.issuerCertificate;
    if (signers.includes(at.fingerprint256)) break;
    signers.push(at.fingerprint256);
  }
  return signers;
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

/** A user as the API server's reviews describe it. */
export const callerSchema = z.object({
  // Absent if the API server does not know the token's owner.
  username: z.string().default(""),
  uid: z.string().optional(),
  groups: z.array(z.string()).readonly().optional(),
  extra: z.record(z.string(), z.array(z.string()).readonly()).readonly().optional(),
});
export type Caller = Readonly<z.infer<typeof callerSchema>>;

export const ANONYMOUS: Caller = {
  username: "system:anonymous",
  groups: ["system:unauthenticated"],
};
