import { X509Certificate } from "node:crypto";
import { parsedJson } from "@cloudwright/core/model/values/json";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { z } from "zod";

/** Certificates of authorities that are trusted. */
export interface CaBundle {
  /** All of them, concatenated. */
  readonly pem: string;
  /** SHA-256 fingerprints in Node's format. */
  readonly fingerprints: ReadonlySet<string>;
}

/** A proxy that names its callers in headers, and how it is recognised. */
export interface FrontProxy {
  readonly ca: CaBundle;
  /** Accepted common names of its certificate; if empty, any that the CA has signed. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** The authorities that identify callers of our HTTPS port (spec/00 §13). */
export interface ClientAuthorities {
  readonly clients: CaBundle | undefined;
  readonly frontProxy: FrontProxy | undefined;
}

export const NO_AUTHORITIES: ClientAuthorities = { clients: undefined, frontProxy: undefined };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Parses a bundle. Throws an Error if the text contains no certificate, or an invalid one. */
export function caBundle(text: string): CaBundle {
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error("it contains no PEM certificate");
  const fingerprints = certificates.map((pem) => new X509Certificate(pem).fingerprint256);
  return { pem: certificates.join("\n"), fingerprints: new Set(fingerprints) };
}

/** Returns the certificates against which TLS verifies client certificates. */
export function trustedBy({ clients, frontProxy }: ClientAuthorities): readonly string[] {
  return [clients, frontProxy?.ca].flatMap((bundle) => bundle?.pem ?? []);
}

/** A JSON list inside a text, as the cluster writes it. */
const names = z
  .string()
  .transform((json, context): readonly string[] => {
    const parsed = z.array(z.string()).safeParse(parsedJson(json));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: "it is not a JSON list of strings" });
    return z.NEVER;
  })
  .default([]);
type ProxyKey = Exclude<keyof z.infer<typeof dataSchema>, BundleKey>;

/** The keys of the ConfigMap `kube-system/extension-apiserver-authentication`, each absent if the cluster does not set it. */
const dataSchema = z.object({
  "client-ca-file": z.string().optional(),
  "requestheader-client-ca-file": z.string().optional(),
  "requestheader-allowed-names": names,
  "requestheader-username-headers": names,
  "requestheader-uid-headers": names,
  "requestheader-group-headers": names,
  "requestheader-extra-headers-prefix": names,
});

/** Parses the ConfigMap. Throws an Error that names the invalid key. */
export function authoritiesOfConfigMap(data: unknown): ClientAuthorities {
  const parsed = dataSchema.safeParse(data ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  return authoritiesOf(parsed.data, (key) => bundleOf(parsed.data, key));
}

type BundleKey = "client-ca-file" | "requestheader-client-ca-file";

/** The ConfigMap's keys have the names of our flags, but its certificates are in the keys themselves, while the flags name files. */
export function authoritiesOf(
  keys: Readonly<Record<ProxyKey, readonly string[]>>,
  bundle: (key: BundleKey) => CaBundle | undefined,
): ClientAuthorities {
  const ca = bundle("requestheader-client-ca-file");
  return {
    clients: bundle("client-ca-file"),
    frontProxy: ca && {
      ca,
      allowedNames: keys["requestheader-allowed-names"],
      usernameHeaders: keys["requestheader-username-headers"],
      uidHeaders: keys["requestheader-uid-headers"],
      groupHeaders: keys["requestheader-group-headers"],
      extraHeaderPrefixes: keys["requestheader-extra-headers-prefix"],
    },
  };
}

function bundleOf(keys: z.infer<typeof dataSchema>, key: BundleKey): CaBundle | undefined {
  const text = keys[key];
  if (text === undefined || text.trim() === "") return undefined;
  try {
    return caBundle(text);
  } catch (cause) {
    throw new Error(`${key}: ${messageOf(cause)}`, { cause });
  }
}
