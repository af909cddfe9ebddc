import { parseInput } from "../http/api-error.ts";
import { param, type Route } from "../http/router.ts";
import { creationSchema, editSchema } from "./instance.ts";
import { listInstances } from "./instance-page.ts";
import type { InstanceStore } from "./instance-store.ts";

/** The calls on machines (spec/70, "Resources"). */
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

/** Ids and names of machines that a request names; empty for an unfiltered listing. */
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

/** Everything that one machine is called: the id for a name, the name for an id. */
export function aliasesOf(store: InstanceStore, called: string): ReadonlySet<string> {
  const byId = store.find(called);
  return new Set([
    called,
    ...(byId === undefined ? [] : [byId.instance.name]),
    ...store.named(called).map(({ instance }) => instance.id),
  ]);
}
