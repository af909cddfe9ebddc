import { z } from "zod";
import type { Clock } from "../../model/time.ts";
import { type KubeClient, type KubeObject, SERVICE_ACCOUNTS, type Target } from "../client.ts";
import { isKubeError, KubeError } from "../errors.ts";
import type { Credentials } from "./credentials.ts";
import type { ClusterAccess } from "./kubeconfig.ts";
import { createTokenSource, type IssuedToken } from "./token-source.ts";

export interface ServiceAccountOptions {
  /**
   * The root identity's client, which creates the account and requests its tokens. It has no fence: neither decides
   * anything about the cluster, and a standby has an identity as well.
   */
  readonly client: Pick<KubeClient, "get" | "create">;
  /** The root identity's access to the cluster. Its own certificate or token is never sent along. */
  readonly access: ClusterAccess;
  readonly namespace: string;
  readonly name: string;
  readonly clock: Clock;
  /** Called for each renewal that failed while the last token is still valid. */
  onError(error: unknown): void;
}

/** For how many seconds a token is requested (spec/00 §14). */
const TOKEN_SECONDS = 3_600;

/**
 * Accesses the cluster as a service account, which is created on demand and recreated if somebody deleted it, with tokens
 * that are renewed before they expire (spec/00 §14). `credentials` throws KubeError when no token can be had.
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

/**
 * An existing account is not an error: replicas start at the same time, and Kubernetes creates some accounts itself.
 */
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
 * The caller asked for something else: a missing account does not mean a missing Node, and nothing of the call itself
 * was sent.
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
