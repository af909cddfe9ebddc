import {
  type CallContext,
  isProviderError,
  listPages,
  ProviderError,
} from "@cloudwright/provider-api";
import { pathSegment } from "@cloudwright/provider-api/http";
import { z } from "zod";
import { PROVIDER } from "../config/invalid-config.ts";
import type { WireAnswer } from "./connection.ts";
import {
  extensionsSchema,
  microversionOf,
  novaVersionsSchema,
  octaviaVersionsSchema,
  type VersionedService,
  type Versions,
} from "./discovery.ts";
import { type ChosenEndpoint, endpointOf } from "./keystone.ts";
import type { Login, Token } from "./login.ts";
import { itemsOf, pageSchema, type UnreadableItem } from "./pages.ts";
import { baseOf, type ServiceName, versionsUrlOf } from "./services.ts";
import { Sessions, type SessionsOptions } from "./sessions.ts";
import { SharedWork } from "./shared-work.ts";

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** One request to a service. */
export interface ApiRequest<Schema extends z.ZodType> {
  readonly service: ServiceName;
  /** GET by default; any other method changes the cloud and is sent only while this process holds the Lease. */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the service's version, created by `path`: `/servers/…` for Nova, `/ports` for Neutron, `/loadbalancers` for Octavia. */
  readonly path: string;
  /** A list repeats its key; undefined is left out. */
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Upstream's name of the request, also used in its metrics (spec §8): `server_list`, `loadbalancer_create`. */
  readonly operation: string;
  /** The target for records: an id, a name, `all`. */
  readonly target: string;
  /** The fields of the answer that we read; those that we do not need are optional. `noAnswer` if nothing is read. */
  readonly schema: Schema;
  readonly context: CallContext;
}

export type ApiAnswer<Value> = Omit<WireAnswer<Value>, "header">;

/** A listing that is read to its last page. */
export interface ApiListing<Schema extends z.ZodType>
  extends Omit<ApiRequest<Schema>, "method" | "body" | "schema"> {
  /** The field of the answer that contains the items: `servers`, `ports`, `loadbalancers`. */
  readonly collection: string;
  /** Of one item. */
  readonly item: Schema;
  /** Receives items of the wrong shape; without it, such an item fails the whole listing. */
  onUnreadable?(item: UnreadableItem): void;
}

export interface ApiItems<Item> {
  readonly items: readonly Item[];
  /** The id of the request for the last page. */
  readonly requestId?: string;
}

/** The cloud's services over HTTP; every request goes through its own context. All throw ProviderError. */
export interface OpenStackClient {
  /** Sends one request. After a 401, renews the token once and repeats the request; nothing else is retried. */
  request<Schema extends z.ZodType>(
    request: ApiRequest<Schema>,
  ): Promise<ApiAnswer<z.output<Schema>>>;
  /** Reads all pages: a missing page fails the whole, as half a listing looks like absence. */
  listAll<Schema extends z.ZodType>(
    listing: ApiListing<Schema>,
  ): Promise<ApiItems<z.output<Schema>>>;
  /** Returns the capabilities of a service, cached until one of its requests fails in a way that may mean another version. */
  versions<Service extends VersionedService>(
    service: Service,
    context: CallContext,
  ): Promise<Versions[Service]>;
  /** Returns a service's endpoint; undefined if the catalog has none. */
  endpoint(service: ServiceName, context: CallContext): Promise<ChosenEndpoint | undefined>;
  /** Returns our project, for quotas. */
  project(
    context: CallContext,
  ): Promise<{ readonly id: string; readonly name?: string | undefined }>;
  close(): Promise<void>;
}

/** Builds the path of a request; each inserted text is escaped as one segment: path`/servers/${id}`. */
export function path(texts: TemplateStringsArray, ...segments: readonly string[]): string {
  return String.raw({ raw: texts }, ...segments.map(pathSegment));
}

/** For answers that are not read, such as those without a body. */
export const noAnswer = z.unknown();

/** Nova's default page size. */
export const PAGE_SIZE = 1_000;

export function createClient(options: SessionsOptions): OpenStackClient {
  return new Client(new Sessions(options));
}

class Client implements OpenStackClient {
  readonly #sessions: Sessions;
  readonly #versions = new Map<VersionedService, Versions[VersionedService]>();
  readonly #discoveries = new Map<VersionedService, SharedWork<Versions[VersionedService]>>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async request<Schema extends z.ZodType>(
    request: ApiRequest<Schema>,
  ): Promise<ApiAnswer<z.output<Schema>>> {
    const { service, context, path: below, query, headers } = request;
    const version = service === "compute" ? await this.versions("compute", context) : undefined;
    const microversion =
      version === undefined ? {} : { "openstack-api-version": `compute ${version}` };
    try {
      return await this.#send(request, {
        headers: { ...microversion, ...headers },
        urlAt: ({ url }) => `${baseOf(service, url)}${below}${queryText(query)}`,
      });
    } catch (error) {
      if (mayBeAnotherVersion(error)) this.#versions.delete(service as VersionedService);
      throw error;
    }
  }

  async listAll<Schema extends z.ZodType>(
    listing: ApiListing<Schema>,
  ): Promise<ApiItems<z.output<Schema>>> {
    const { collection, item, operation, target, query, onUnreadable, ...rest } = listing;
    const call = { provider: PROVIDER, operation, target };
    const schema = pageSchema(collection);
    const pages = await listPages({ call }, async (marker) => {
      const { value, bytes, requestId } = await this.request({
        ...{ ...rest, operation, target, schema },
        query: { limit: PAGE_SIZE, ...query, marker },
      });
      return { ...value, bytes, requestId };
    });
    const items = itemsOf(pages, { call, item, onUnreadable });
    const requestId = pages.at(-1)?.requestId;
    return requestId === undefined ? { items } : { items, requestId };
  }

  async versions<Service extends VersionedService>(
    service: Service,
    context: CallContext,
  ): Promise<Versions[Service]> {
    if (!this.#versions.has(service)) {
      const work = this.#discoveries.get(service) ?? new SharedWork();
      this.#discoveries.set(service, work);
      const found = await work.join(context.signal, () => this.#discover(service, context));
      this.#versions.set(service, found);
    }
    return this.#versions.get(service) as Versions[Service];
  }

  async endpoint(service: ServiceName, context: CallContext): Promise<ChosenEndpoint | undefined> {
    const { token } = await this.#authorized(context);
    try {
      return this.#endpointIn(token, service);
    } catch (error) {
      if (isProviderError(error) && error.code === "Unsupported") return undefined;
      throw error;
    }
  }

  async project(context: CallContext) {
    const { token } = await this.#authorized(context);
    if (token.project === undefined) throw noProject();
    return token.project;
  }

  close(): Promise<void> {
    return this.#sessions.close();
  }

  async #discover(
    service: VersionedService,
    context: CallContext,
  ): Promise<Versions[VersionedService]> {
    const ask = async <Schema extends z.ZodType>(schema: Schema, operation: string) => {
      const urlAt = ({ url }: ChosenEndpoint) => versionsUrlOf(service, url);
      const named = { service, path: "", operation, target: service, schema, context };
      return (await this.#send(named, { headers: {}, urlAt })).value;
    };
    switch (service) {
      case "compute":
        return microversionOf(await ask(novaVersionsSchema, "compute_version_list"));
      case "load-balancer":
        return ask(octaviaVersionsSchema, "loadbalancer_version_list");
      case "network": {
        const named = { path: "/extensions", operation: "extension_list", target: "all" };
        const asked = { ...named, service, schema: extensionsSchema, context } as const;
        return (await this.request(asked)).value;
      }
    }
  }

  async #authorized(context: CallContext): Promise<{ login: Login; token: Token }> {
    const login = await this.#sessions.login(context);
    return { login, token: await login.token(context) };
  }

  #endpointIn(token: Token, service: ServiceName): ChosenEndpoint {
    if (token.project === undefined && token.catalog.length === 0) throw noProject();
    return endpointOf(token.catalog, service, this.#sessions.config.identity);
  }

  /** Sends with a token, renewing it once if it is refused. */
  async #send<Schema extends z.ZodType>(
    request: ApiRequest<Schema>,
    made: Made,
  ): Promise<ApiAnswer<z.output<Schema>>> {
    const { login, token } = await this.#authorized(request.context);
    try {
      return await this.#sendAs({ login, token }, request, made);
    } catch (error) {
      if (!isProviderError(error) || error.call.status !== 401) throw error;
      login.refused(token);
      return this.#sendAs(await this.#authorized(request.context), request, made);
    }
  }

  #sendAs<Schema extends z.ZodType>(
    { login, token }: { readonly login: Login; readonly token: Token },
    request: ApiRequest<Schema>,
    { headers, urlAt }: Made,
  ): Promise<ApiAnswer<z.output<Schema>>> {
    const { context, operation, target, method = "GET" } = request;
    const url = urlAt(this.#endpointIn(token, request.service));
    const wire = { ...request, method, url, headers: { ...headers, "x-auth-token": token.id } };
    const mutates = method !== "GET";
    return context.call({ operation, target, mutates }, async (signal, mayLeave) => {
      const { header: _, ...answer } = await login.connection.send(wire, { signal, mayLeave });
      const { status, requestId } = answer;
      return { value: answer, status, ...(requestId === undefined ? {} : { requestId }) };
    });
  }
}

interface Made {
  readonly headers: Readonly<Record<string, string>>;
  urlAt(endpoint: ChosenEndpoint): string;
}

/** A service that was down may come back as another release, which may no longer support our version. */
function mayBeAnotherVersion(error: unknown): boolean {
  if (!isProviderError(error)) return false;
  return error.code === "Unavailable" || error.call.status === 406;
}

function queryText(query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    const values = value === undefined ? [] : [value].flat();
    for (const each of values) search.append(key, String(each));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

function noProject(): ProviderError {
  return new ProviderError(
    "Invalid",
    "The token is for no project, so there is no catalog; set tenant-id or tenant-name in cloud.conf.",
    { provider: PROVIDER, operation: "token_create", field: "tenant-id" },
  );
}
