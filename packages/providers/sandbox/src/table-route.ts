import type { CloudRoute, RouteTarget } from "@cloudwright/provider-api";
import { z } from "zod";
import { SCHEME } from "./provider-id.ts";
import { ownerOf } from "./route-owner.ts";

export const tableRouteSchema = z.object({
  id: z.string().min(1),
  tableId: z.string().min(1),
  name: z.string(),
  destination: z.string(),
  /** "" when it leads nowhere. */
  instanceId: z.string(),
  /** Of an instance that is the only one of its name. */
  instanceName: z.string().optional(),
  /** Of an instance that has one of its own. */
  providerId: z.string().optional(),
  blackhole: z.boolean(),
  tags: z.record(z.string(), z.string()),
});
/** A line of the sandbox cloud's route table (spec/70, "Resources"). */
export type TableRoute = Readonly<z.infer<typeof tableRouteSchema>>;

export const routePageSchema = z.object({
  items: z.array(tableRouteSchema),
  next: z.string().min(1).nullish(),
  table: z.object({
    id: z.string().min(1),
    name: z.string(),
    used: z.number().int().min(0),
    capacity: z.number().int().min(0),
  }),
});

/** This cloud compares no addresses: a route of it leads to a machine, whatever its addresses are. */
export function cloudRouteOf(route: TableRoute): CloudRoute {
  const { id, tableId, name, destination, blackhole } = route;
  return {
    id,
    table: tableId,
    name,
    destination,
    target: targetOf(route),
    comparesAddresses: false,
    targetAddresses: [],
    blackhole,
    owner: ownerOf(route),
  };
}

function targetOf({ instanceId, instanceName, providerId = "" }: TableRoute): RouteTarget {
  if (instanceId === "") return { providerID: undefined, nodeName: undefined };
  const providerID = providerId === "" ? `${SCHEME}${instanceId}` : providerId;
  return { providerID, nodeName: instanceName };
}
