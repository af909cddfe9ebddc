import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import { z } from "zod";
import type { CaBundle, ClientAuthorities, FrontProxy } from "./client-authorities.ts";

/** What a caller showed in the TLS handshake. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Whether TLS found a valid chain from it to a certificate that we trust. */
  readonly isVerified: boolean;
  /** SHA-256 of those that signed it, the last one signed by itself. */
  readonly signers: readonly string[];
}

/** Undefined where the caller showed none. */
export function clientCertificate(
  socket: Pick<TLSSocket, "authorized" | "getPeerCertificate">,
): ClientCertificate | undefined {
  const certificate = socket.getPeerCertificate(true);
  // Node answers with an empty object for none, whatever its type says.
  if (certificate?.subject === undefined) return undefined;
  const { CN, O } = certificate.subject as Readonly<Record<string, string | string[] | undefined>>;
  return {
    commonName: listOf(CN)[0] ?? "",
    organizations: listOf(O),
    isVerified: socket.authorized,
    signers: signersOf(certificate),
  };
}

/** The values of each header, by its name in lower case. Node's own object joins repeated ones, which no name may be read from. */
export type Headers = ReadonlyMap<string, readonly string[]>;

/** From Node's list of names and values in turn. */
export function headersOf(raw: readonly string[]): Headers {
  const headers = new Map<string, readonly string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[at + 1] ?? ""]);
  }
  return headers;
}

/**
 * Who a certificate says the caller is (spec/00 §13): whom a front proxy names, else its own common name with its
 * organisations as groups. `nobody` for one that no authority of ours signed; undefined where it says nothing.
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

/** TLS trusts all authorities alike, so whose it is has to be seen here. */
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

/** Keys of extras may hold what a header's name may not, as percent escapes. */
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
  // The last certificate of a chain names itself as its issuer.
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

/** A caller of our HTTPS port as the API server's reviews write one. */
export const callerSchema = z.object({
  // Absent where the API server knows no owner of the token.
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
