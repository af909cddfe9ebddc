/** The objects that pages show. For some pages, they have to exist. */
export interface ShownObjects {
  /** Path prefix of the cluster's pages. */
  readonly cluster: string;
  readonly node: string;
  /** A node with a problem. */
  readonly stuckNode: string;
  /** `namespace/name`; `stuckService` has a problem. */
  readonly service: string;
  readonly stuckService: string;
  readonly volume: string;
  /** An object without a page of its own, as `Kind/name`. */
  readonly object: string;
  readonly run: string;
  readonly action: string;
  readonly batch: string;
  readonly incident: string;
}

/** Returns the addresses of every page with its tabs, layouts and panels, by the Next.js route that serves them. */
export function dashboardPages(shown: ShownObjects): Readonly<Record<string, readonly string[]>> {
  return { ...pagesOfNoCluster(shown), ...listPages(shown), ...objectPages(shown) };
}

/** Returns the part of an address after the cluster's, for names of tests; the whole address if it has no cluster. */
export function shortAddress(path: string, { cluster }: Pick<ShownObjects, "cluster">): string {
  return path.startsWith(cluster) ? `…${path.slice(cluster.length)}` : path;
}

function pagesOfNoCluster({ incident }: ShownObjects): Readonly<Record<string, readonly string[]>> {
  return {
    "/": ["/", "/?q=node-1"],
    "/compare": ["/compare"],
    "/incidents/[id]": [`/incidents/${incident}`],
    "/settings": ["/settings"],
    "/settings/[section]": [
      ...["users", "sessions", "tokens", "notifications", "approval", "controllers", "flags"],
      "appearance",
    ].map((section) => `/settings/${section}`),
    "/sign-in": ["/sign-in"],
  };
}

function listPages(shown: ShownObjects): Readonly<Record<string, readonly string[]>> {
  const { cluster, stuckNode, node, stuckService, volume, run, action } = shown;
  const service = encodeURIComponent(stuckService);
  return {
    "/c/[cluster]": withQueries(cluster, ["", "?hour=table"], "/c/nobody"),
    "/c/[cluster]/nodes": withQueries(`${cluster}/nodes`, [
      ...["", "?init=-7d", "?q=nothing-is-called-so", `?peek=${stuckNode}`],
    ]),
    "/c/[cluster]/load-balancers": withQueries(`${cluster}/load-balancers`, [
      ...["", "?view=orphans", `?peek=${service}`],
    ]),
    "/c/[cluster]/routes": withQueries(`${cluster}/routes`, [
      ...["", "?view=list", "?show=stale", "?show=foreign", "?show=map"],
      ...[`?peek=${node}`, `?show=map&peek=${node}`],
    ]),
    "/c/[cluster]/topology": withQueries(`${cluster}/topology`, ["", "?show=services"]),
    "/c/[cluster]/volumes": withQueries(`${cluster}/volumes`, ["", `?peek=${volume}`]),
    "/c/[cluster]/runs": withQueries(`${cluster}/runs`, ["", `?from=all&peek=${run}`]),
    "/c/[cluster]/changes": withQueries(`${cluster}/changes`, ["", `?peek=Node%20${stuckNode}`]),
    "/c/[cluster]/actions": withQueries(`${cluster}/actions`, [
      ...["", "?q=nobody&state=failed&verb=hold", `?peek=${action}`],
    ]),
    "/c/[cluster]/audit": withQueries(`${cluster}/audit`, ["", "?peek=2", "?chain=accounts"]),
    "/c/[cluster]/incidents": [`${cluster}/incidents`],
    "/c/[cluster]/controllers": [`${cluster}/controllers`],
    "/c/[cluster]/budget": withQueries(`${cluster}/budget`, ["", "?use=table"]),
    "/c/[cluster]/dry-run": withQueries(`${cluster}/dry-run`, ["", "?show=all", `?peek=${node}`]),
    "/c/[cluster]/takeover": withQueries(`${cluster}/takeover`, ["", "?view=adopted"]),
  };
}

function objectPages(shown: ShownObjects): Readonly<Record<string, readonly string[]>> {
  const { cluster, node, stuckNode, service, stuckService, object, run } = shown;
  const nodes = `${cluster}/nodes`;
  const services = `${cluster}/load-balancers`;
  return {
    "/c/[cluster]/nodes/[name]": [
      ...withTabs(`${nodes}/${node}`, [
        ...["timeline", "facts", "compare", "lifecycle", "routes", "balancers", "events"],
        ...["runs", "json"],
      ]),
      ...withTabs(`${nodes}/${stuckNode}`, ["timeline", "facts", "compare"]),
      `${nodes}/nobody`,
    ],
    "/c/[cluster]/load-balancers/[namespace]/[name]": [
      ...withTabs(`${services}/${service}`, ["desired", "members", "events", "runs", "json"]),
      ...[`${services}/${stuckService}`, `${services}/nobody/none`],
    ],
    "/c/[cluster]/objects/[kind]/[...name]": [
      ...withTabs(`${cluster}/objects/${object}`, ["runs", "events"]),
      `${cluster}/objects/Nothing/nobody`,
    ],
    "/c/[cluster]/requests/[id]": [`${cluster}/requests/req-0000`],
    "/c/[cluster]/runs/[id]": [
      ...["waterfall", "waterfall&as=table", "plan", "diff", "events", "compare&all=1"],
      ...["comments", "json"],
    ].map((view) => `${cluster}/runs/${run}?view=${view}`),
    "/c/[cluster]/actions/[id]": [`${cluster}/actions/${shown.action}`],
    "/c/[cluster]/actions/batches/[batch]": [`${cluster}/actions/batches/${shown.batch}`],
    "/c/[cluster]/incidents/[id]": [`${cluster}/incidents/${shown.incident}`],
  };
}

function withQueries(path: string, queries: readonly string[], ...more: readonly string[]) {
  return [...queries.map((query) => path + query), ...more];
}

function withTabs(path: string, tabs: readonly string[]): readonly string[] {
  return tabs.map((tab) => `${path}?tab=${tab}`);
}
