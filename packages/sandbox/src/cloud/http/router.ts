import type { ServerResponse } from "node:http";
import { apiError } from "./api-error.ts";

export interface ApiRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  /** The body as JSON; `{}` when there is none. Throws ApiError `invalid`. */
  readonly readBody: () => Promise<unknown>;
  /** A request header; undefined when it is absent. */
  readonly header: (name: string) => string | undefined;
}

export type Reply =
  | { readonly status: number; readonly body?: unknown }
  /** An answer that continues until the client leaves. */
  | { readonly stream: (response: ServerResponse) => void };

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Segments in braces are parameters: `/v1/instances/{id}`. */
  readonly path: string;
  readonly handle: (request: ApiRequest) => Promise<Reply> | Reply;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export type Router = (method: string, path: string) => Match | undefined;

/** The one routing table: a new resource adds its routes to the list. */
export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map((route) => ({ route, segments: route.path.split("/") }));
  return (method, path) => {
    const given = path.split("/");
    for (const { route, segments } of compiled) {
      const params = route.method === method ? bind(segments, given) : undefined;
      if (params !== undefined) {
        return { route, params };
      }
    }
    return undefined;
  };
}

function bind(
  segments: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (segments.length !== given.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? "";
    if (segment.startsWith("{") && value !== "") {
      params[segment.slice(1, -1)] = decode(value);
    } else if (segment !== value) {
      return undefined;
    }
  }
  return params;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw apiError(
      "invalid",
      `The path holds ${value}, which is not percent-encoded as it must be.`,
    );
  }
}

export function param({ params }: ApiRequest, name: string): string {
  const value = params[name];
  if (value === undefined) {
    throw new Error(`The route has no parameter ${name}.`);
  }
  return value;
}
