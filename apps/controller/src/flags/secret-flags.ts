import type { FlagName } from "./definitions/all.ts";

/** Flags whose values are secret, or name places of secrets: only whether they are set is reported. */
const SECRET: ReadonlySet<FlagName> = new Set<FlagName>([
  "database-url",
  "audit-anchor-key",
  "cloud-config",
  "kubeconfig",
  "master",
  "authentication-kubeconfig",
  "authorization-kubeconfig",
  "cert-dir",
  "client-ca-file",
  "requestheader-client-ca-file",
  "tls-cert-file",
  "tls-private-key-file",
  "tls-sni-cert-key",
  "webhook-cert-dir",
  "webhook-tls-cert-file",
  "webhook-tls-private-key-file",
  "webhook-tls-sni-cert-key",
]);

export function isSecretFlag(name: FlagName): boolean {
  return SECRET.has(name);
}
