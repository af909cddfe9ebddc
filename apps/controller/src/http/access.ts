import { createHash } from "node:crypto";
import type { KubeClient } from "@cloudwright/core/kube/client";
import type { Clock } from "@cloudwright/core/model/time";
import { z } from "zod";
import { review } from "../permissions/review-rights.ts";
import type { ClientAuthorities } from "./client-authorities.ts";
import {
  ANONYMOUS,
  type Caller,
  type ClientCertificate,
  callerSchema,
  certifiedCaller,
  type Headers,
} from "./client-certificate.ts";

export interface AccessOptions {
  /** Reviews tokens; if undefined, every caller is anonymous (spec/00 §5.6). */
  readonly authentication: Pick<KubeClient, "create"> | undefined;
  /** Decides who may read what; if undefined, only `alwaysAllow` may be read. */
  readonly authorization: Pick<KubeClient, "create"> | undefined;
  readonly alwaysAllow: readonly string[];
  /** Returns the authorities that sign client certificates; called for each request, as they change. */
  authorities(): ClientAuthorities;
  readonly clock: Clock;
  readonly tokenTtlMs: number;
  readonly allowedTtlMs: number;
  readonly deniedTtlMs: number;
}

export interface AccessQuestion {
  readonly path: string;
  /** The verb of a nonResourceURL, in lower case. */
  readonly verb: string;
  /** The bearer token, if the caller sent one. */
  readonly token: string | undefined;
  /** The client certificate of the TLS handshake, if any. */
  readonly certificate: ClientCertificate | undefined;
  readonly headers: Headers;
}

export type AccessAnswer =
  | { readonly kind: "allowed" }
  | { readonly kind: "unauthenticated" }
  | { readonly kind: "forbidden"; readonly message: string }
  /** The API server did not answer. */
  | { readonly kind: "unknown"; readonly error: unknown };

/**
 * Creates the function that decides who may read what from our HTTPS server, as upstream does: by client certificate, front proxy
 * or TokenReview, then by SubjectAccessReview (spec/00 §13).
 */
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

const tokenReviewSchema = z.object({
  status: z.object({ authenticated: z.boolean().default(false), user: callerSchema.optional() }),
});
const accessReviewSchema = z.object({
  status: z.object({ allowed: z.boolean(), reason: z.string().optional() }),
});

interface Gate extends AccessOptions {
  readonly users: ExpiringMap<Caller | "nobody">;
  readonly verdicts: ExpiringMap<boolean>;
}

async function decide(gate: Gate, question: AccessQuestion): Promise<AccessAnswer> {
  const user = await callerOf(gate, question);
  if (user === "nobody") return { kind: "unauthenticated" };
  if (user.groups?.includes("system:masters") === true) return { kind: "allowed" };
  if (await isAllowed(gate, user, question)) return { kind: "allowed" };
  return {
    kind: "forbidden",
    message: `forbidden: User "${user.username}" cannot ${question.verb} path "${question.path}"`,
  };
}

/** A caller whose credentials are invalid does not become anonymous, unless other credentials are valid. */
async function callerOf(gate: Gate, question: AccessQuestion): Promise<Caller | "nobody"> {
  const { certificate, headers, token } = question;
  const certified =
    certificate === undefined
      ? undefined
      : certifiedCaller(certificate, headers, gate.authorities());
  if (certified !== undefined && certified !== "nobody") return certified;
  const bearer = token === undefined ? undefined : await bearerOf(gate, token);
  return bearer ?? certified ?? ANONYMOUS;
}

/** Returns undefined if tokens are not reviewed. */
async function bearerOf(gate: Gate, token: string): Promise<Caller | "nobody" | undefined> {
  if (gate.authentication === undefined) return undefined;
  // Caches only a hash of the token.
  const key = createHash("sha256").update(token).digest("hex");
  const known = gate.users.get(key);
  if (known !== undefined) return known;
  const answer = await review(gate.authentication, "authentication.k8s.io", {
    kind: "TokenReview",
    spec: { token },
  });
  const { status } = tokenReviewSchema.parse(answer);
  const user = (status.authenticated ? status.user : undefined) ?? "nobody";
  gate.users.set(key, user, gate.tokenTtlMs);
  return user;
}

async function isAllowed(
  gate: Gate,
  user: Caller,
  { path, verb }: AccessQuestion,
): Promise<boolean> {
  if (gate.authorization === undefined) return false;
  const key = JSON.stringify([user, path, verb]);
  const known = gate.verdicts.get(key);
  if (known !== undefined) return known;
  const { username, ...rest } = user;
  const answer = await review(gate.authorization, "authorization.k8s.io", {
    kind: "SubjectAccessReview",
    spec: { user: username, ...rest, nonResourceAttributes: { path, verb } },
  });
  const { allowed } = accessReviewSchema.parse(answer).status;
  gate.verdicts.set(key, allowed, allowed ? gate.allowedTtlMs : gate.deniedTtlMs);
  return allowed;
}

/** A map whose values expire. At its maximum size, the oldest value is dropped first. */
class ExpiringMap<Value> {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until <= this.#clock.monotonic()) return undefined;
    return entry.value;
  }

  set(key: string, value: Value, keepMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#clock.monotonic() + keepMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }
}
