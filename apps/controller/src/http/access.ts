import { createHash } from "node:crypto";
import type { KubeClient, KubeObject, Resource } from "@cloudwright/core/kube/client";
import type { Clock } from "@cloudwright/core/model/time";
import { z } from "zod";
import { ExpiringMap } from "./expiring-map.ts";

export interface AccessOptions {
  /** Reviews tokens; undefined: every caller is anonymous (spec/00 §5.6). */
  readonly authentication: Pick<KubeClient, "create"> | undefined;
  /** Decides who may read what; undefined: nothing beyond `alwaysAllow`. */
  readonly authorization: Pick<KubeClient, "create"> | undefined;
  readonly alwaysAllow: readonly string[];
  readonly clock: Clock;
  readonly tokenTtlMs: number;
  readonly allowedTtlMs: number;
  readonly deniedTtlMs: number;
}

export interface AccessQuestion {
  readonly path: string;
  /** Lower-case verb of a nonResourceURL. */
  readonly verb: string;
  /** The bearer token, if the caller sent one. */
  readonly token: string | undefined;
}

export type AccessAnswer =
  | { readonly kind: "allowed" }
  | { readonly kind: "unauthenticated" }
  | { readonly kind: "forbidden"; readonly message: string }
  /** The API server could not be asked. */
  | { readonly kind: "unknown"; readonly error: unknown };

/** Decides who may read what of our HTTPS server, as upstream does by TokenReview and SubjectAccessReview (spec/00 §13). */
export function createAccess(options: AccessOptions): (q: AccessQuestion) => Promise<AccessAnswer> {
  const gate: Gate = {
    ...options,
    users: new ExpiringMap(options.clock, CACHE_SIZE),
    verdicts: new ExpiringMap(options.clock, CACHE_SIZE),
  };
  return async (question) => {
    if (options.alwaysAllow.includes(question.path)) return { kind: "allowed" };
    try {
      return await decide(gate, question);
    } catch (error) {
      return { kind: "unknown", error };
    }
  };
}

const CACHE_SIZE = 1_000;
const REVIEW_TIMEOUT_MS = 10_000;

const userSchema = z.object({
  // Absent where the token is nobody's.
  username: z.string().default(""),
  uid: z.string().optional(),
  groups: z.array(z.string()).optional(),
  extra: z.record(z.string(), z.array(z.string())).optional(),
});
type User = z.infer<typeof userSchema>;

const tokenReviewSchema = z.object({
  status: z.object({ authenticated: z.boolean().default(false), user: userSchema.optional() }),
});
const accessReviewSchema = z.object({
  status: z.object({ allowed: z.boolean(), reason: z.string().optional() }),
});

const ANONYMOUS: User = { username: "system:anonymous", groups: ["system:unauthenticated"] };
const TOKEN_REVIEWS: Resource = {
  group: "authentication.k8s.io",
  version: "v1",
  plural: "tokenreviews",
  namespaced: false,
};
const ACCESS_REVIEWS: Resource = {
  group: "authorization.k8s.io",
  version: "v1",
  plural: "subjectaccessreviews",
  namespaced: false,
};

interface Gate extends AccessOptions {
  readonly users: ExpiringMap<User | "nobody">;
  readonly verdicts: ExpiringMap<boolean>;
}

async function decide(gate: Gate, question: AccessQuestion): Promise<AccessAnswer> {
  const user = await userOf(gate, question.token);
  if (user === "nobody") return { kind: "unauthenticated" };
  if (user.groups?.includes("system:masters") === true) return { kind: "allowed" };
  if (await isAllowed(gate, user, question)) return { kind: "allowed" };
  return {
    kind: "forbidden",
    message: `forbidden: User "${user.username}" cannot ${question.verb} path "${question.path}"`,
  };
}

async function userOf(gate: Gate, token: string | undefined): Promise<User | "nobody"> {
  if (token === undefined || gate.authentication === undefined) return ANONYMOUS;
  // Only a hash of the token is kept.
  const key = createHash("sha256").update(token).digest("hex");
  const known = gate.users.get(key);
  if (known !== undefined) return known;
  const answer = await gate.authentication.create<Review>(
    { resource: TOKEN_REVIEWS },
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } },
    { timeoutMs: REVIEW_TIMEOUT_MS },
  );
  const { status } = tokenReviewSchema.parse(answer);
  const user = (status.authenticated ? status.user : undefined) ?? "nobody";
  gate.users.set(key, user, gate.tokenTtlMs);
  return user;
}

async function isAllowed(gate: Gate, user: User, { path, verb }: AccessQuestion): Promise<boolean> {
  if (gate.authorization === undefined) return false;
  const key = JSON.stringify([user, path, verb]);
  const known = gate.verdicts.get(key);
  if (known !== undefined) return known;
  const { username, ...rest } = user;
  const answer = await gate.authorization.create<Review>(
    { resource: ACCESS_REVIEWS },
    {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: username, ...rest, nonResourceAttributes: { path, verb } },
    },
    { timeoutMs: REVIEW_TIMEOUT_MS },
  );
  const { allowed } = accessReviewSchema.parse(answer).status;
  gate.verdicts.set(key, allowed, allowed ? gate.allowedTtlMs : gate.deniedTtlMs);
  return allowed;
}

interface Review extends KubeObject {
  readonly spec: unknown;
}
