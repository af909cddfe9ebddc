import { type CallContext, ProviderError } from "@cloudwright/provider-api";
import { z } from "zod";
import { noAnswer, type OpenStackClient, path } from "../api/client.ts";
import { isNotFound, isRevisionConflict } from "../api/errors.ts";
import { PROVIDER } from "../config/invalid-config.ts";

const routeSchema = z.object({ destination: z.string().min(1), nexthop: z.string().min(1) });
/** An entry of a router's table in Neutron. */
export type ExtraRoute = Readonly<z.output<typeof routeSchema>>;

const routerSchema = z.object({
  router: z.object({
    id: z.string().min(1),
    name: z.string().nullish(),
    routes: z.array(routeSchema).nullish(),
    tags: z.array(z.string()).nullish(),
    revision_number: z.number().int().nullish(),
  }),
});

export interface Router {
  readonly id: string;
  readonly name: string;
  readonly routes: readonly ExtraRoute[];
  readonly tags: readonly string[];
  /** Undefined if the cloud does not keep it. */
  readonly revision: number | undefined;
  readonly requestId?: string | undefined;
}

/** The names of table changes in Neutron's atomic API. */
export type TableChange = "add_extraroutes" | "remove_extraroutes";

/** How often the whole table is written again if others change it meanwhile. */
const MOST_TRIES = 5;

/** The extra routes of one router (spec/providers/openstack §5). Throws ProviderError. */
export class RouterTable {
  readonly id: string;
  readonly #client: OpenStackClient;
  /** How many routes fit, known once the router has refused one: Neutron does not show it anywhere else. */
  #capacity: number | undefined;

  constructor(client: OpenStackClient, id: string) {
    this.#client = client;
    this.id = id;
  }

  get capacity(): number | undefined {
    return this.#capacity;
  }

  async read(context: CallContext): Promise<Router> {
    const { value, requestId } = await this.#client.request({
      service: "network",
      path: path`/routers/${this.id}`,
      query: { fields: ["id", "name", "routes", "tags", "revision_number"] },
      ...{ operation: "router_get", target: this.id, schema: routerSchema, context },
    });
    return routerOf(value, requestId);
  }

  /**
   * Returns the router after the change. Makes all changes in one request; existing routes to add, and missing ones to remove,
   * are fine.
   */
  async change(
    kind: TableChange,
    routes: readonly ExtraRoute[],
    context: CallContext,
  ): Promise<Router> {
    try {
      return (await this.#kinds(context)) === "atomic"
        ? await this.#changeAtomically(kind, routes, context)
        : await this.#changeWhole(kind, routes, context);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Adds one tag to the router, keeping those of others; a Neutron without tags stores none. */
  async tag(tag: string, context: CallContext): Promise<void> {
    if (await this.#hasTags(context)) await this.#writeTag("PUT", tag, context);
  }

  /** Removes one tag; a missing one is fine. */
  async untag(tag: string, context: CallContext): Promise<void> {
    try {
      if (await this.#hasTags(context)) await this.#writeTag("DELETE", tag, context);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #hasTags(context: CallContext): Promise<boolean> {
    const extensions = await this.#client.versions("network", context);
    return extensions.has("standard-attr-tag") || extensions.has("tag-ext");
  }

  async #writeTag(method: "PUT" | "DELETE", tag: string, context: CallContext): Promise<void> {
    await this.#client.request({
      ...{ service: "network", method, path: path`/routers/${this.id}/tags/${tag}` },
      operation: method === "PUT" ? "router_tag_create" : "router_tag_delete",
      ...{ target: this.id, schema: noAnswer, context },
    });
  }

  async #kinds(context: CallContext): Promise<"atomic" | "whole"> {
    const extensions = await this.#client.versions("network", context);
    if (extensions.has("extraroute-atomic")) return "atomic";
    if (extensions.has("extraroute")) return "whole";
    throw new ProviderError(
      "Unsupported",
      "Neutron has no extra routes: neither extraroute-atomic nor extraroute is among its extensions; remove router-id from cloud.conf.",
      { provider: PROVIDER, operation: "extension_list", target: this.id },
    );
  }

  async #changeAtomically(
    kind: TableChange,
    routes: readonly ExtraRoute[],
    context: CallContext,
  ): Promise<Router> {
    const { value, requestId } = await this.#client.request({
      ...{ service: "network", method: "PUT" },
      path: `${path`/routers/${this.id}`}/${kind}`,
      body: { router: { routes } },
      ...{ operation: "router_update", target: this.id, schema: routerSchema, context },
    });
    return routerOf(value, requestId);
  }

  /** A concurrent change of the table raises its revision: then it is read and written once more. */
  async #changeWhole(
    kind: TableChange,
    routes: readonly ExtraRoute[],
    context: CallContext,
  ): Promise<Router> {
    for (let tried = 1; ; tried++) {
      const router = await this.read(context);
      const wanted = tableAfter(kind, router.routes, routes);
      if (wanted.length === router.routes.length) return router;
      try {
        const { value, requestId } = await this.#client.request({
          ...{ service: "network", method: "PUT" },
          path: path`/routers/${this.id}`,
          headers: revisionHeader(router.revision),
          body: { router: { routes: wanted } },
          ...{ operation: "router_update", target: this.id, schema: routerSchema, context },
        });
        return routerOf(value, requestId);
      } catch (error) {
        if (!isRevisionConflict(error) || tried >= MOST_TRIES) throw error;
      }
    }
  }

  #explained(error: unknown): unknown {
    const full = fullOf(error);
    if (full === undefined) return error;
    this.#capacity = full.capacity;
    return full.error;
  }
}

/** Returns the header with which a PUT fails with 412 if the object has changed since it was read. */
export function revisionHeader(revision: number | undefined): Readonly<Record<string, string>> {
  return revision === undefined ? {} : { "if-match": `revision_number=${revision}` };
}

function tableAfter(
  kind: TableChange,
  there: readonly ExtraRoute[],
  routes: readonly ExtraRoute[],
): readonly ExtraRoute[] {
  const changed = new Set(routes.map(textOf));
  if (kind === "remove_extraroutes") return there.filter((each) => !changed.has(textOf(each)));
  const present = new Set(there.map(textOf));
  return [...there, ...routes.filter((each) => !present.has(textOf(each)))];
}

/** Identifies a route of a router, which may have several to one destination. */
export function textOf({ destination, nexthop }: ExtraRoute): string {
  return `${destination} via ${nexthop}`;
}

/** Parses the text of `textOf`. */
export function extraRouteOf(text: string): ExtraRoute {
  const [destination = "", nexthop = ""] = text.split(" via ");
  return { destination, nexthop };
}

function routerOf(
  { router }: z.output<typeof routerSchema>,
  requestId: string | undefined,
): Router {
  const { id, name, routes, tags, revision_number: revision } = router;
  return {
    ...{ id, name: name ?? "", routes: routes ?? [], tags: tags ?? [], requestId },
    revision: revision ?? undefined,
  };
}

/** Explains the refusal of a route because the table is full; undefined for any other. */
function fullOf(
  error: unknown,
): { capacity: number | undefined; error: ProviderError } | undefined {
  if (!(error instanceof ProviderError) || error.code !== "QuotaExceeded") return undefined;
  if (error.call.body?.reason !== "routes") return undefined;
  const [, most] = /maximum (?:quota )?(\d+)/i.exec(error.call.body.message ?? error.message) ?? [];
  const room = most === undefined ? "" : ` (${most} routes)`;
  return {
    capacity: most === undefined ? undefined : Number(most),
    error: new ProviderError(
      "QuotaExceeded",
      `The router is full${room}: have Neutron's max_routes raised, or remove unused routes.`,
      { ...error.call, cause: error },
    ),
  };
}
