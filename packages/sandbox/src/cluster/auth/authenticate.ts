import type { IncomingHttpHeaders } from "node:http";
import { unauthorized } from "../http/api-error.ts";
import type { Tokens } from "./tokens.ts";
import { ANONYMOUS, type User } from "./user.ts";

/** The user of a request, without a token the anonymous one. Throws ApiError 401 for a token that is not valid. */
export function authenticate(headers: IncomingHttpHeaders, tokens: Tokens): User {
  const { authorization } = headers;
  if (authorization === undefined) return ANONYMOUS;
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
  if (token === undefined) return ANONYMOUS;
  const user = tokens.authenticate(token.trim());
  if (user === undefined) throw unauthorized();
  return user;
}

/** Whom the request wants to act as (`kubectl --as`), or nothing. */
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
