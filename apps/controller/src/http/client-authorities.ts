import { X509Certificate } from "node:crypto";
import { parsedJson } from "@cloudwright/core/model/values/json";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { z } from "zod";

/** Certificates that are trusted to sign others. */
export interface CaBundle {
  /** All of them, one after the other. */
  readonly pem: string;
  /** SHA-256, as Node writes them. */
  readonly fingerprints: ReadonlySet<string>;
}

/** A proxy that names its callers in headers, and by what it is known. */
export interface FrontProxy {
  readonly ca: CaBundle;
  /** Common names of its certificate; empty: any that the CA signed. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Whose certificates say who a caller of our HTTPS port is (spec/00 §13). */
export interface ClientAuthorities {
  readonly clients: CaBundle | undefined;
  readonly frontProxy: FrontProxy | undefined;
}

export const NO_AUTHORITIES: ClientAuthorities = { clients: undefined, frontProxy: undefined };

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Throws an Error when the text holds no certificate, or one that cannot be read. */
export function caBundle(text: string): CaBundle {
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) throw new Error("it contains no PEM certificate");
  const fingerprints = certificates.map((pem) => new X509Certificate(pem).fingerprint256);
  return { pem: certificates.join("\n"), fingerprints: new Set(fingerprints) };
}

/** What TLS has to verify client certificates against. */
export function trustedBy({ clients, frontProxy }: ClientAuthorities): readonly string[] {
  return [clients, frontProxy?.ca].flatMap((bundle) => bundle?.pem ?? []);
}

/** A JSON list in a text, as the cluster writes it. */
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

/** The keys of the ConfigMap `kube-system/extension-apiserver-authentication`, each absent where the cluster has none. */
const dataSchema = z.object({
  "client-ca-file": z.string().optional(),
  "requestheader-client-ca-file": z.string().optional(),
  "requestheader-allowed-names": names,
  "requestheader-username-headers": names,
  "requestheader-uid-headers": names,
  "requestheader-group-headers": names,
  "requestheader-extra-headers-prefix": names,
});

/** Throws an Error that says which key cannot be used. */
export function authoritiesOfConfigMap(data: unknown): ClientAuthorities {
  const parsed = dataSchema.safeParse(data ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  return authoritiesOf(parsed.data, (key) => bundleOf(parsed.data, key));
}

type BundleKey = "client-ca-file" | "requestheader-client-ca-file";

/** The ConfigMap's keys are called as our flags; the certificates stand in the one, and the others name their files. */
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
