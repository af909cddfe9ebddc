import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Instance } from "../instances/instance.ts";
import { canonicalCidrSchema } from "../resources/cidr.ts";
import { tagsSchema } from "../resources/tags.ts";
import type { Collection } from "../state/collection.ts";
import { apiError, invalidField, parseInput } from "./api-error.ts";
import { param, type Route } from "./router.ts";
import { listTagged } from "./tagged-page.ts";

const creationSchema = z.strictObject({
  name: z.string().min(1).max(253),
  destination: canonicalCidrSchema,
  /** "" for a route without a target. */
  instanceId: z.string(),
  tags: tagsSchema.default({}),
});

/** A line of the cloud's route table (spec/70, "Resources"). */
export const tableRouteSchema = creationSchema.extend({ id: z.string(), blackhole: z.boolean() });
export type TableRoute = Readonly<z.infer<typeof tableRouteSchema>>;

export interface RouteTable {
  readonly routes: Collection<TableRoute>;
  /** Most routes in the table; called at each creation. */
  readonly quota: () => number;
  readonly machine: (id: string) => Instance | undefined;
  /** Returns how many machines have the name. */
  readonly countNamed: (name: string) => number;
}

export function tableRouteRoutes(table: RouteTable): Route[] {
  const { routes } = table;
  const shown = (route: TableRoute) => shownRoute(table, route);
  return [
    {
      method: "GET",
      path: "/v1/routes",
      handle: ({ search }) => {
        const { items, next } = listTagged({ entries: routes.entries() }, search);
        return { status: 200, body: { items: items.map(shown), next, table: factsOf(table) } };
      },
    },
    {
      method: "GET",
      path: "/v1/routes/{id}",
      handle: (request) => ({ status: 200, body: shown(routes.get(param(request, "id"))) }),
    },
    {
      method: "POST",
      path: "/v1/routes",
      handle: async ({ readBody }) => {
        const creation = parseInput(creationSchema, await readBody());
        requireFree(table, creation);
        const id = `r-${randomBytes(8).toString("hex")}`;
        const made = await routes.put({ id, ...creation, blackhole: false });
        return { status: 201, body: shown(made) };
      },
    },
    {
      method: "DELETE",
      path: "/v1/routes/{id}",
      handle: async (request) => {
        await routes.delete(param(request, "id"));
        return { status: 204 };
      },
    },
  ];
}

/** Needs no record of its own, as it follows from the machine's deletion, which is in the journal. */
export function blackholeRoutesTo(routes: Collection<TableRoute>, machine: string): void {
  for (const { item } of [...routes.entries()]) {
    if (item.instanceId === machine) {
      routes.amend({ ...item, blackhole: true });
    }
  }
}

/** The only table of this cloud. */
const TABLE = { id: "rtb-main", name: "main" };

function factsOf({ routes, quota }: RouteTable) {
  return { ...TABLE, used: routes.size, capacity: quota() };
}

/** Adds the machine's name, if no other machine has it, and its own provider ID. */
function shownRoute({ machine, countNamed }: RouteTable, route: TableRoute) {
  const { name, providerId } = machine(route.instanceId) ?? {};
  return {
    ...route,
    tableId: TABLE.id,
    ...(name !== undefined && countNamed(name) === 1 ? { instanceName: name } : {}),
    ...(providerId === undefined ? {} : { providerId }),
  };
}

function requireFree(
  { routes, quota, machine }: RouteTable,
  { destination, instanceId }: Pick<TableRoute, "destination" | "instanceId">,
): void {
  if (instanceId !== "" && machine(instanceId) === undefined) {
    throw invalidField("instanceId", `there is no instance ${instanceId}`);
  }
  for (const { item } of routes.entries()) {
    if (item.destination === destination) {
      throw apiError(
        "conflict",
        `The destination ${destination} has the route ${item.id} already: delete that one first.`,
      );
    }
  }
  if (routes.size >= quota()) {
    throw apiError(
      "quota_exceeded",
      `The quota of routes is used up, ${quota()} of ${quota()}: delete one or have it raised.`,
    );
  }
}
