import { z } from "zod";
import type { Clock } from "../../model/time.ts";
import { type KubeClient, type KubeObject, SERVICE_ACCOUNTS, type Target } from "../client.ts";
import { isKubeError, KubeError } from "../errors.ts";
import type { Credentials } from "./credentials.ts";
import type { ClusterAccess } from "./kubeconfig.ts";
import { createTokenSource, type IssuedToken } from "./token-source.ts";

export interface ServiceAccountOptions {
  /**
   * The root identity's, which makes the account and asks for its tokens. Without a fence: both are no decision about the
   * cluster, and a standby has an identity as well.
   */
  readonly client: Pick<KubeClient, "get" | "create">;
  /** How the root identity reaches the cluster. Its own proof, certificate or token, is never sent along. */
  readonly access: ClusterAccess;
  readonly namespace: string;
  readonly name: string;
  readonly clock: Clock;
  /** Notified of each renewal that failed while the last token still holds. */
  onError(error: unknown): void;
}

/** Seconds for which a token is asked (spec/00 §14). */
const TOKEN_SECONDS = 3_600;

/**
 * The way to the cluster as a service account: made on demand, and made again when somebody deleted it; by tokens that are
 * renewed before they end (spec/00 §14). `credentials` throws KubeError when there is no token to be had.
 */
export function accessAsServiceAccount(options: ServiceAccountOptions): ClusterAccess {
  const { access, namespace, name, clock, onError } = options;
  const tokens = createTokenSource({ issue: () => issueToken(options), clock, onError });
  return {
    server: access.server,
    source: `service account ${namespace}/${name}`,
    credentials: async () => {
      const [token, { tls, proxyUrl }] = await Promise.all([tokens.get(), access.credentials()]);
      return {
        headers: { authorization: `Bearer ${token}` },
        tls: withoutProof(tls),
        ...(proxyUrl === undefined ? {} : { proxyUrl }),
      };
    },
    renew: () => tokens.forget(),
  };
}

function withoutProof({ cert: _cert, key: _key, ...tls }: Credentials["tls"]): Credentials["tls"] {
  return tls;
}

async function issueToken(options: ServiceAccountOptions): Promise<IssuedToken> {
  try {
    await makeSure(options);
    return await requestToken(options);
  } catch (error) {
    throw isKubeError(error) ? withoutIdentity(error, options) : error;
  }
}

/** An account that is there already is no mistake: replicas start at once, and Kubernetes makes some of them itself. */
async function makeSure({ client, namespace, name }: ServiceAccountOptions): Promise<void> {
  const target: Target = { resource: SERVICE_ACCOUNTS, namespace, name };
  const isThere = await client.get(target).then(() => true, absentOnly);
  if (isThere) return;
  const account: KubeObject = {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { namespace, name },
  };
  await client.create(target, account).catch((error: unknown) => {
    if (!isKubeError(error) || error.code !== "AlreadyExists") throw error;
  });
}

function absentOnly(error: unknown): false {
  if (isKubeError(error) && error.code === "NotFound") return false;
  throw error;
}

interface TokenRequest extends KubeObject {
  readonly spec: { readonly expirationSeconds: number };
  readonly status?: unknown;
}

const issuedSchema = z.object({
  token: z.string().min(1),
  expirationTimestamp: z.iso.datetime({ offset: true }),
});

async function requestToken({
  client,
  namespace,
  name,
}: ServiceAccountOptions): Promise<IssuedToken> {
  const target: Target = { resource: SERVICE_ACCOUNTS, namespace, name, subresource: "token" };
  const request: TokenRequest = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: TOKEN_SECONDS },
  };
  const { status } = await client.create<TokenRequest>(target, request);
  const issued = issuedSchema.safeParse(status);
  if (!issued.success) {
    throw new KubeError("Unavailable", "the answer to a TokenRequest holds no token", {
      verb: "create",
      resource: "serviceaccounts/token",
      name,
    });
  }
  const { token, expirationTimestamp } = issued.data;
  return { token, expiresAt: Date.parse(expirationTimestamp) };
}

/**
 * Whoever calls with this identity asked for something else: that there is no account is not that there is no Node, and
 * nothing of the call itself has left yet.
 */
function withoutIdentity(error: KubeError, { namespace, name }: ServiceAccountOptions): KubeError {
  const isRefused = error.code === "Forbidden" || error.code === "Unauthorized";
  const advice = isRefused
    ? "; apply the kustomize component deploy/rbac/service-account-credentials, or grant this process get and create of serviceaccounts and create of serviceaccounts/token"
    : "";
  const { verb, resource, status } = error.call;
  return new KubeError(
    isRefused ? "Unauthorized" : "Unavailable",
    `the service account ${namespace}/${name} returned no token: ${error.message}${advice}`,
    {
      verb,
      resource,
      name,
      cause: error,
      ...(status === undefined ? {} : { status }),
    },
  );
}
