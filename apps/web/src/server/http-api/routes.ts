import { z } from "zod";
import { clusterInput, findInput } from "../routers/inputs.ts";
import { cluster, overview, problem } from "./answers/clusters.ts";
import { found } from "./answers/fleet.ts";
import { rowsOf } from "./answers/shared.ts";
import { type ApiRoute, asRows, group, namesIn } from "./api-route.ts";
import { BASE } from "./base.ts";
import { FLEET_ROUTES, SAVED_VIEW_ROUTES } from "./fleet-routes.ts";
import { OBJECT_ROUTES } from "./object-routes.ts";
import { PEOPLE_ROUTES } from "./people-routes.ts";
import { PICTURE_ROUTES } from "./picture-routes.ts";
import { RECORD_ROUTES } from "./record-routes.ts";

const problemsOf = (answer: unknown) => ({ rows: problemsSchema.parse(answer).problems });
const problemsSchema = z.object({ problems: z.array(z.unknown()) });

/** Every address, in the order of the documentation. */
export const ROUTES: readonly ApiRoute[] = [
  ...group("Clusters", [
    {
      path: "/clusters",
      procedure: "clusters.list",
      summary: "The clusters that the token may see.",
      answer: rowsOf(cluster),
      shape: asRows,
    },
    {
      path: "/clusters/{cluster}",
      procedure: "clusters.byId",
      summary: "One cluster: its controller processes, its counts, and its overall state.",
      input: clusterInput,
      answer: cluster,
    },
    {
      path: "/clusters/{cluster}/overview",
      procedure: "overview.byCluster",
      summary: "What the page Overview shows.",
      input: clusterInput,
      answer: overview,
    },
    {
      path: "/clusters/{cluster}/problems",
      procedure: "overview.byCluster",
      summary:
        "What needs attention, the longest and widest first: objects that are stuck for the same reason.",
      input: clusterInput,
      answer: rowsOf(problem),
      shape: problemsOf,
    },
    {
      path: "/clusters/{cluster}/search",
      procedure: "search.find",
      summary:
        "What a text means in one cluster: at most 8 objects of each kind, the runs of a call, one run or action.",
      input: findInput,
      answer: found,
    },
  ]),
  ...FLEET_ROUTES,
  ...OBJECT_ROUTES,
  ...PICTURE_ROUTES,
  ...RECORD_ROUTES,
  ...PEOPLE_ROUTES,
  ...SAVED_VIEW_ROUTES,
];

export const DOCUMENT = `${BASE}/openapi.json`;

export interface RouteMatch {
  readonly route: ApiRoute;
  /** The path's values, by the names in braces. */
  readonly values: Readonly<Partial<Record<string, string>>>;
}

/** Finds the address that a path matches, with the values in it. A name may contain a slash as `%2F`. */
export function matchRoute(pathname: string): RouteMatch | undefined {
  const given = pathname.slice(BASE.length).split("/");
  for (const route of ROUTES) {
    const values = partsOf(route.path.split("/"), given);
    if (values !== undefined) return { route, values };
  }
  return undefined;
}

function partsOf(
  wanted: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (wanted.length !== given.length) return undefined;
  const values: [string, string][] = [];
  for (const [at, part] of wanted.entries()) {
    const text = decodeURIComponent(given[at] ?? "");
    const [name] = namesIn(part);
    if (name === undefined ? part !== text : text === "") return undefined;
    if (name !== undefined) values.push([name, text]);
  }
  return Object.fromEntries(values);
}
