import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Cluster, KubeConfig, User } from "@kubernetes/client-node";
import { parse } from "yaml";
import { z } from "zod";
import type { Clock } from "../../model/time.ts";
import { messageOf } from "../../model/values/message-of.ts";
import { isKubeError } from "../errors.ts";
import { createCredentialCache } from "./credential-cache.ts";
import { type Credentials, readCredentials, type TlsOptions } from "./credentials.ts";

export interface KubeConfigOptions {
  /** `--kubeconfig`. */
  readonly kubeconfig?: string;
  /** `--master`: overrides the kubeconfig's server. */
  readonly master?: string;
  readonly clock: Clock;
}

/** The API server's address and our credentials. */
export interface ClusterAccess {
  /** The base URL without a trailing slash. */
  readonly server: string;
  /** For logs: the file, or that we run in the cluster. Contains no secret. */
  readonly source: string;
  /**
   * Returns what the next request needs, at once if it is known; files, tokens and plug-ins are read again as they age. Throws KubeError
   * `Unauthorized`.
   */
  credentials(): Credentials | Promise<Credentials>;
  /** Forgets cached credentials that the API server refused. */
  renew(): void;
}

/** Thrown when no access to a cluster can be configured; the message is one sentence that says what to do. */
export class KubeConfigError extends Error {
  override readonly name = "KubeConfigError";
}

/**
 * Finds the cluster like upstream's manager: `--kubeconfig`, overridden by `--master`, else the service account of the
 * pod that we run in (spec/00 §2.4). Throws KubeConfigError if there is none, or the file cannot be used.
 */
export async function loadKubeConfig(options: KubeConfigOptions): Promise<ClusterAccess> {
  const load = () => loadOnce(options);
  const first = await load();
  const cluster = first.getCurrentCluster();
  if (cluster === null) {
    throw new KubeConfigError(
      `The kubeconfig ${options.kubeconfig} has no cluster in its current context; set one with kubectl config use-context.`,
    );
  }
  await requireMaterial(first, options);
  const cache = createCredentialCache({
    clock: options.clock,
    first,
    load,
    read: readCredentials,
  });
  return {
    server: serverUrl(cluster.server),
    source: sourceOf(options),
    credentials: cache.get,
    renew: cache.forget,
  };
}

async function loadOnce(options: KubeConfigOptions): Promise<KubeConfig> {
  // Loaded late: the package is large, and code that needs no kubeconfig should not pay for it.
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (options.kubeconfig !== undefined && options.kubeconfig !== "") {
    await loadFile(config, options.kubeconfig);
  } else if (options.master === undefined || options.master === "") {
    loadInCluster(config);
  } else {
    const cluster = { name: "master", server: options.master, skipTLSVerify: false };
    config.loadFromClusterAndUser(cluster, { name: "none" });
  }
  return prepared(config, options.master);
}

/**
 * Files that a kubeconfig names but do not exist, and invalid certificates, do not appear by waiting: upstream's manager exits,
 * too. A plug-in is not started yet: it may need something that starts later.
 */
async function requireMaterial(
  config: KubeConfig,
  { kubeconfig }: KubeConfigOptions,
): Promise<void> {
  if (!kubeconfig || isFromPlugIn(config)) return;
  try {
    parseMaterial((await readCredentials(config)).tls);
  } catch (cause) {
    const why = isKubeError(cause) ? cause.cause : cause;
    throw new KubeConfigError(
      `The kubeconfig ${kubeconfig} cannot be used: ${firstLine(why)}; check its certificates, its key and the files that it names.`,
      { cause },
    );
  }
}

function isFromPlugIn(config: KubeConfig): boolean {
  const { exec, authProvider } = config.getCurrentUser() ?? {};
  return Boolean(exec) || (Boolean(authProvider) && authProvider.name !== TOKEN_FILE);
}

/** Throws OpenSSL's error for an invalid text. */
function parseMaterial({ ca, cert, key }: TlsOptions): void {
  for (const pem of [ca, cert]) {
    if (pem !== undefined) new X509Certificate(pem);
  }
  if (key !== undefined) createPrivateKey(key);
}

async function loadFile(config: KubeConfig, file: string): Promise<void> {
  try {
    const content = contentOf(await readFile(file, "utf8"));
    // client-node has a parser of its own, and JSON is also YAML: the file is read once, by our
    // parser.
    config.loadFromString(JSON.stringify(content));
    config.makePathsAbsolute(dirname(resolve(file)));
    useTokenFiles(config, { content, folder: dirname(resolve(file)) });
    settleUser(config);
  } catch (cause) {
    throw new KubeConfigError(
      `The kubeconfig ${file} cannot be used: ${firstLine(cause)}; check the path and the file.`,
      { cause },
    );
  }
}

/** Parses a kubeconfig. A warning of the parser would quote the file, which holds secrets. */
function contentOf(text: string): object {
  const content: unknown = parse(text, { merge: true, logLevel: "error" });
  if (content === null) throw new KubeConfigError("it is empty");
  if (typeof content !== "object") throw new KubeConfigError("it is not a kubeconfig");
  return content;
}

function loadInCluster(config: KubeConfig): void {
  if (!process.env.KUBERNETES_SERVICE_HOST) {
    throw new KubeConfigError(
      "No cluster is configured: give --kubeconfig or --master, or run in a pod with a service account.",
    );
  }
  config.loadFromCluster();
}

const usersSchema = z.object({
  users: z
    .array(
      z.object({
        name: z.string(),
        user: z
          .object({
            tokenFile: z.string().optional(),
            token: z.string().optional(),
            "as-groups": z.array(z.string()).optional(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});

const TOKEN_FILE = "tokenFile";

/**
 * client-node supports the key `tokenFile` only for in-cluster access; here it is converted to that, and the file is read
 * again as it ages.
 */
function useTokenFiles(config: KubeConfig, source: { content: unknown; folder: string }): void {
  const { users } = usersSchema.parse(source.content);
  for (const { name, user } of users ?? []) {
    if (user?.["as-groups"] !== undefined && config.getCurrentUser()?.name === name) {
      throw new KubeConfigError(
        `it impersonates groups (as-groups of user ${name}), which Cloudwright does not support`,
      );
    }
    if (user?.tokenFile === undefined) continue;
    const tokenFile = resolve(source.folder, user.tokenFile);
    // As in client-go: the file takes precedence over a token beside it, which is used if there is
    // no file.
    if (user.token !== undefined && !existsSync(tokenFile)) continue;
    config.users = config.users.map(({ token, ...known }) =>
      known.name === name
        ? { ...known, authProvider: { name: TOKEN_FILE, config: { tokenFile } } }
        : { ...known, ...(token === undefined ? {} : { token }) },
    );
  }
}

const ANONYMOUS = "";

/** A context without a user sends no credentials; client-node would then lose the cluster's CA. */
function settleUser(config: KubeConfig): void {
  const context = config.getContextObject(config.getCurrentContext());
  if (context === null || config.getCurrentUser() !== null) return;
  if (context.user) {
    throw new KubeConfigError(
      `its context ${context.name} names the user ${context.user}, which it does not have`,
    );
  }
  config.users = [...config.users, { name: ANONYMOUS }];
  config.contexts = config.contexts.map((each) =>
    each.name === context.name ? { ...each, user: ANONYMOUS } : each,
  );
}

function prepared(config: KubeConfig, master: string | undefined): KubeConfig {
  config.clusters = config.clusters.map((cluster) => {
    const server = master === undefined || master === "" ? cluster.server : master;
    // client-node refuses plain HTTP unless verification is switched off.
    const skipTLSVerify = server.startsWith("http:") || cluster.skipTLSVerify === true;
    return { ...dataFirst(cluster), server, skipTLSVerify };
  });
  config.users = config.users.map(dataFirst);
  return config;
}

/**
 * As in client-go: data in the kubeconfig itself takes precedence over a file that it names; client-node has it the other way
 * round.
 */
function dataFirst<Named extends Partial<Cluster & User>>(named: Named): Named {
  const chosen = { ...named };
  if (chosen.caData) delete chosen.caFile;
  if (chosen.certData) delete chosen.certFile;
  if (chosen.keyData) delete chosen.keyFile;
  return chosen;
}

function serverUrl(server: string): string {
  const withScheme = server.includes("://") ? server : `https://${server}`;
  if (!/^https?:/.test(withScheme) || !URL.canParse(withScheme)) {
    throw new KubeConfigError(
      `The API server's address "${server}" is not a URL; write it as https://host:port.`,
    );
  }
  return withScheme.replace(/\/+$/, "");
}

function sourceOf(options: KubeConfigOptions): string {
  if (options.kubeconfig) return `kubeconfig ${options.kubeconfig}`;
  return options.master ? `--master ${options.master}` : "the pod's service account";
}

function firstLine(error: unknown): string {
  const message = messageOf(error);
  // The YAML parser ends the line with a colon, and quotes the file below it.
  return (message.split("\n", 1)[0] ?? "").replace(/:$/, "");
}
