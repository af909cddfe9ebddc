import { z } from "zod";
import { parseInput } from "../http/api-error.ts";
import { type Page, pageFields, pageOf, readQuery } from "../http/page.ts";
import { param, type Route } from "../http/router.ts";
import { creationSchema, editSchema, type Instance } from "./instance.ts";
import type { InstanceStore, StoredInstance } from "./instance-store.ts";

/** The routes for machines (spec/70, "Resources"). */
export function instanceRoutes(store: InstanceStore): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/instances",
      handle: ({ search }) => ({ status: 200, body: listInstances(store, search) }),
    },
    {
      method: "GET",
      path: "/v1/instances/{id}",
      handle: (request) => ({ status: 200, body: store.get(param(request, "id")).instance }),
    },
    {
      method: "POST",
      path: "/v1/instances",
      handle: async ({ readBody }) => {
        const creation = parseInput(creationSchema, await readBody());
        return { status: 201, body: await store.create(creation) };
      },
    },
    {
      method: "PATCH",
      path: "/v1/instances/{id}",
      handle: async (request) => {
        const edit = parseInput(editSchema, await request.readBody());
        return { status: 200, body: await store.edit(param(request, "id"), edit) };
      },
    },
    {
      method: "POST",
      path: "/v1/instances/{id}/stop",
      handle: async (request) => ({
        status: 200,
        body: await store.power(param(request, "id"), "stopped"),
      }),
    },
    {
      method: "POST",
      path: "/v1/instances/{id}/start",
      handle: async (request) => ({
        status: 200,
        body: await store.power(param(request, "id"), "running"),
      }),
    },
    {
      method: "DELETE",
      path: "/v1/instances/{id}",
      handle: async (request) => {
        await store.delete(param(request, "id"));
        return { status: 204 };
      },
    },
  ];
}

/** Returns the ids and names of machines that a request names; empty for an unfiltered listing. */
export function namedInstances(path: string, search: URLSearchParams): ReadonlySet<string> {
  if (!/^\/v1\/instances(\/|$)/.test(path)) {
    return new Set();
  }
  const inPath = /^\/v1\/instances\/([^/]+)/.exec(path)?.[1];
  return new Set([
    ...(inPath === undefined ? [] : [inPath]),
    ...search.getAll("id"),
    ...search.getAll("name"),
  ]);
}

/** Returns all ids and names of one machine: the id for a name, the name for an id. */
export function aliasesOf(store: InstanceStore, called: string): ReadonlySet<string> {
  const byId = store.find(called);
  return new Set([
    called,
    ...(byId === undefined ? [] : [byId.instance.name]),
    ...store.named(called).map(({ instance }) => instance.id),
  ]);
}

const querySchema = z.strictObject({
  id: z.array(z.string()),
  name: z.array(z.string()),
  ...pageFields,
});

/** Returns one page in order of creation. With `id` or `name` it shows the machines with one of these ids or names, each once. */
function listInstances(store: InstanceStore, search: URLSearchParams): Page<Instance> {
  const query = parseInput(querySchema, readQuery(search, ["id", "name"]));
  const { limit, cursor, id, name } = query;
  const page = pageOf(candidates(store, query), { limit, cursor, filters: [id, name] });
  return { items: page.items.map(({ instance }) => instance), next: page.next };
}

interface Filters {
  readonly id: readonly string[];
  readonly name: readonly string[];
}

function candidates(store: InstanceStore, { id, name }: Filters): Iterable<StoredInstance> {
  if (id.length === 0 && name.length === 0) {
    return store.all();
  }
  const matches = new Set([
    ...id.flatMap((one) => store.find(one) ?? []),
    ...name.flatMap((one) => store.named(one)),
  ]);
  return [...matches].sort((a, b) => a.sequence - b.sequence);
}
