import type { IncomingHttpHeaders } from "node:http";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Tokens } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import type { Registry } from "../registry/context.ts";

/** What the whole server shares. */
export interface ClusterServices {
  readonly registry: Registry;
  readonly tokens: Tokens;
  readonly authorizer: Authorizer;
}

/** One request, as handlers see it. */
export interface Call {
  readonly services: ClusterServices;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Empty but for POST, PUT, PATCH and DELETE. */
  readonly body: string;
  /** Of the body, without parameters; protobuf has become JSON by then. */
  readonly contentType: string;
  readonly user: User;
  /** `HOST:PORT` under which the client reached us. */
  readonly host: string;
}
