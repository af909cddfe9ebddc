import type { IncomingHttpHeaders } from "node:http";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Tokens } from "../auth/tokens.ts";
import type { User } from "../auth/user.ts";
import type { Registry } from "../registry/context.ts";

/** The services that the whole server shares. */
export interface ClusterServices {
  readonly registry: Registry;
  readonly tokens: Tokens;
  readonly authorizer: Authorizer;
}

/** One request, as its handlers see it. */
export interface Call {
  readonly services: ClusterServices;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Empty except for POST, PUT, PATCH and DELETE. */
  readonly body: string;
  /** The body's content type, without parameters; protobuf has already been converted to JSON. */
  readonly contentType: string;
  readonly user: User;
  /** `HOST:PORT` at which the client reached us. */
  readonly host: string;
}
