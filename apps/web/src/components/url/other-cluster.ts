import { addresses } from "./addresses.ts";

/** Parameters that only make sense in one cluster: the object beside the list, a route table. */
const OF_ONE_CLUSTER = ["peek", "table"];

/** Lists that have pages of single objects below them. */
const LISTS = ["nodes", "load-balancers", "routes", "volumes", "runs", "actions", "audit"];
const PAGES = [
  ...LISTS,
  "changes",
  "topology",
  "controllers",
  "budget",
  "dry-run",
  "takeover",
  "incidents",
];

/**
 * Returns the same page in another cluster, with its filter. For an object, a run or an action, which the other cluster does not have, it
 * is their list; for a page about no cluster, it is the other cluster's overview.
 */
export function inOtherCluster(
  { pathname, search }: { readonly pathname: string; readonly search: string },
  cluster: string,
): string {
  const [, page, below] = /^\/c\/[^/]+\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
  const overview = addresses.overview(cluster);
  if (page === undefined || !PAGES.includes(page)) return overview;
  if (below !== undefined) return `${overview}/${page}`;
  const kept = search
    .replace(/^\?/, "")
    .split("&")
    .filter(
      (parameter) => parameter !== "" && !OF_ONE_CLUSTER.includes(parameter.split("=")[0] ?? ""),
    );
  return `${overview}/${page}${kept.length === 0 ? "" : `?${kept.join("&")}`}`;
}
