import { t, worded } from "@cloudwright/core/model/language/text";
import type { SavedPage, SavedView } from "@cloudwright/store/views/saved-views";

export const PAGE_LABELS: Readonly<Record<SavedPage, string>> = worded({
  nodes: () => t`Nodes`,
  "load-balancers": () => t`Load balancers`,
  routes: () => t`Routes`,
  volumes: () => t`Volumes`,
  topology: () => t`Topology`,
  runs: () => t`Runs`,
  changes: () => t`Changes`,
  actions: () => t`Actions`,
  audit: () => t`Audit`,
  budget: () => t`Budget`,
  takeover: () => t`Takeover`,
  "dry-run": () => t`Dry run`,
});

/** Returns `Nodes, all clusters, shared by Ana`, which tells views with the same name apart. */
export function aboutView(view: SavedView, cluster: string): string {
  return [PAGE_LABELS[view.page], scope(view, cluster), sharing(view)].join(", ");
}

function scope(view: SavedView, cluster: string): string {
  if (view.cluster === undefined) return t`all clusters`;
  return view.cluster === cluster ? t`this cluster` : t`another cluster`;
}

/** Says who may open it besides its owner. */
export function sharing({ isShared, isOwn, owner }: SavedView): string {
  if (!isShared) return t`private`;
  return isOwn ? t`shared` : t`shared by ${owner}`;
}

/** Reports whether two addresses show the same list, in whatever parameter order; the row open beside it does not count. */
export function isSameSearch(left: string, right: string): boolean {
  return partsOf(left) === partsOf(right);
}

function partsOf(search: string): string {
  return [...new URLSearchParams(search)]
    .filter(([name]) => name !== "peek")
    .map(([name, value]) => `${name}=${value}`)
    .toSorted((left, right) => left.localeCompare(right))
    .join("&");
}
