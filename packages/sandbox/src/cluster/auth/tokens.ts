import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { unauthorized } from "../http/api-error.ts";
import type { ObjectStore } from "../state/object-store.ts";
import { ADMIN, ANONYMOUS, serviceAccountUser, type User } from "./user.ts";

export const DEFAULT_AUDIENCE = "https://kubernetes.default.svc.cluster.local";

const claimsSchema = z.object({
  aud: z.array(z.string()),
  exp: z.number(),
  "kubernetes.io": z.object({
    namespace: z.string(),
    serviceaccount: z.object({ name: z.string(), uid: z.string() }),
  }),
});

export interface TokenSubject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface TokenOptions {
  readonly audiences: readonly string[];
  readonly seconds: number;
}

/** Bearer tokens: the administrator's, and those of service accounts, which end with their account or when they expire. */
export class Tokens {
  readonly #adminToken: string;
  readonly #store: ObjectStore;
  readonly #now: () => number;

  constructor(adminToken: string, store: ObjectStore, now: () => number) {
    this.#adminToken = adminToken;
    this.#store = store;
    this.#now = now;
  }

  /** Returns the token's user, or undefined when it is invalid or no longer valid. */
  authenticate(token: string): User | undefined {
    return sameText(token, this.#adminToken) ? ADMIN : this.#serviceAccount(token);
  }

  /** Returns a signed token of the account, in the form of a JWT. */
  issue(subject: TokenSubject, options: TokenOptions): string {
    const issuedAt = Math.floor(this.#now() / 1_000);
    const claims = {
      aud: options.audiences,
      exp: issuedAt + options.seconds,
      iat: issuedAt,
      nbf: issuedAt,
      iss: DEFAULT_AUDIENCE,
      jti: randomUUID(),
      "kubernetes.io": {
        namespace: subject.namespace,
        serviceaccount: { name: subject.name, uid: subject.uid },
      },
      sub: `system:serviceaccount:${subject.namespace}:${subject.name}`,
    };
    const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    return `${signed}.${this.#sign(signed)}`;
  }

  #serviceAccount(token: string): User | undefined {
    const [header = "", payload = "", signature = ""] = token.split(".");
    if (!sameText(signature, this.#sign(`${header}.${payload}`))) return undefined;
    const claims = claimsSchema.safeParse(decodePart(payload));
    if (!claims.success || claims.data.exp * 1_000 <= this.#now()) return undefined;
    const { namespace, serviceaccount } = claims.data["kubernetes.io"];
    const account = this.#store.get("serviceaccounts", `${namespace}/${serviceaccount.name}`);
    return account?.object.metadata.uid === serviceaccount.uid
      ? serviceAccountUser(namespace, serviceaccount.name, serviceaccount.uid)
      : undefined;
  }

  /** Signs with the administrator's token, which is the only secret of the cluster. */
  #sign(content: string): string {
    return createHmac("sha256", this.#adminToken).update(content).digest("base64url");
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest("hex");
  const encoder = new TextEncoder();
  return timingSafeEqual(encoder.encode(digest(left)), encoder.encode(digest(right)));
}

/** Returns the user of a request, or the anonymous user without a token. Throws ApiError 401 for an invalid token. */
export function authenticate(headers: IncomingHttpHeaders, tokens: Tokens): User {
  const { authorization } = headers;
  if (authorization === undefined) return ANONYMOUS;
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
  if (token === undefined) return ANONYMOUS;
  const user = tokens.authenticate(token.trim());
  if (user === undefined) throw unauthorized();
  return user;
}

/** Returns the user to impersonate (`kubectl --as`), or undefined. */
export function impersonated(headers: IncomingHttpHeaders): User | undefined {
  const username = single(headers["impersonate-user"]);
  if (username === undefined) return undefined;
  const groups = String(headers["impersonate-group"] ?? "")
    .split(",")
    .map((group) => group.trim())
    .filter((group) => group !== "");
  return { username, groups: [...groups, "system:authenticated"] };
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}
