import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { KubeError } from "../errors.ts";

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsOptions;
  readonly proxyUrl?: string;
}

/** PEM texts, which are compared to see whether connections must be reopened. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/**
 * Gets the current user's credentials from client-node's plug-ins. Throws KubeError `Unauthorized` when a plug-in or a file
 * fails.
 */
export async function readCredentials(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new KubeError(
      "Unauthorized",
      `the kubeconfig's credentials could not be read: ${why}; check the file, token or plug-in that it names`,
      { verb: "read", resource: "kubeconfig", status: 0, cause },
    );
  }
  const proxyUrl = config.getCurrentCluster()?.proxyUrl;
  return {
    headers: { ...headersOf(options), ...basicAuth(options.auth) },
    tls: tlsOf(options),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

function headersOf(options: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // A token file ends with a line break, which a header must not contain.
    if (value !== undefined) headers[name.toLowerCase()] = String(value).trim();
  }
  return headers;
}

function basicAuth(auth: string | null | undefined): Record<string, string> {
  if (!auth) return {};
  return { authorization: `Basic ${Buffer.from(auth).toString("base64")}` };
}

function tlsOf(options: RequestOptions): TlsOptions {
  const texts = { ca: options.ca, cert: options.cert, key: options.key };
  const tls: Record<string, string> = {};
  for (const [name, value] of Object.entries(texts)) {
    if (value !== undefined) tls[name] = String(value);
  }
  return {
    ...tls,
    ...(options.servername === undefined ? {} : { servername: options.servername }),
    ...(options.rejectUnauthorized === undefined
      ? {}
      : { rejectUnauthorized: options.rejectUnauthorized }),
  };
}
