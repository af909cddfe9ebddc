import { addresses } from "./addresses.ts";

/** What an address says of one cluster alone: an object beside the list, a route table. */
const OF_ONE_CLUSTER = ["peek", "table"];

/** Lists, whose pages of one object are below them. */
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
 * The same page of another cluster, with its filter. Of an object, a run or an action, which the other cluster does not have, it is
 * the list that it is in; of a page that is about no cluster, the other one's overview.
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
