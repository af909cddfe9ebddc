import type { Cloud } from "./cloud.ts";

/** A route of the sandbox cloud, with the fields that the suites read. */
export interface Route {
  readonly id: string;
  readonly name: string;
  readonly destination: string;
  /** "" for a route without a target. */
  readonly instanceId: string;
  readonly blackhole: boolean;
  readonly tags: Readonly<Record<string, string | undefined>>;
}

export interface NewRoute {
  readonly name?: string;
  readonly destination: string;
  readonly instanceId?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Tags by which the sandbox's provider marks its routes. */
export const ROUTE_CLUSTER_TAG = "cloudwright.io/cluster";
export const ROUTE_NODE_TAG = "cloudwright.io/node";
export const ROUTE_NODE_UID_TAG = "cloudwright.io/node-uid";

/** Lists every route of the only table. */
export async function allRoutes(cloud: Cloud): Promise<readonly Route[]> {
  const routes: Route[] = [];
  let cursor = "";
  do {
    const query = `limit=500${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const page = await cloud.v1<{ items: Route[]; next: string | null }>(
      "GET",
      `/v1/routes?${query}`,
    );
    routes.push(...page.items);
    cursor = page.next ?? "";
  } while (cursor !== "");
  return routes;
}

/** Creates a route manually, as a user or another cluster would. */
export function putRoute(cloud: Cloud, wanted: NewRoute): Promise<Route> {
  const { destination, name = `by hand ${destination}`, instanceId = "", tags = {} } = wanted;
  return cloud.v1("POST", "/v1/routes", { name, destination, instanceId, tags });
}

export function dropRoute(cloud: Cloud, id: string): Promise<unknown> {
  return cloud.v1("DELETE", `/v1/routes/${id}`);
}
