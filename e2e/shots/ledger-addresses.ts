import type { Page } from "@playwright/test";
import type { Address } from "./addresses.ts";

/** Returns pages of routes and volumes, on a ledger that has every state of them. */
export function routeAddresses(cluster: string): readonly Address[] {
  const routes = `${cluster}/routes`;
  return [
    { name: "routes-matrix", path: routes, shows: "node-0007", phone: true },
    { name: "routes-list", path: `${routes}?view=list`, shows: "node-0007" },
    {
      name: "routes-peek",
      path: `${routes}?peek=node-0009/10.64.9.0/24`,
      shows: "Should lead to",
      phone: true,
    },
    { name: "routes-full", path: `${routes}?state=stuck&peek=node-0007`, shows: "been stuck" },
    { name: "routes-foreign", path: `${routes}?show=foreign`, shows: "igw-1", phone: true },
    { name: "routes-stale", path: `${routes}?show=stale`, shows: "r-9001", phone: true },
    { name: "routes-filtered-empty", path: `${routes}?q=nothing`, shows: "match this filter" },
    {
      name: "routes-repair",
      path: `${routes}?view=list`,
      shows: /^Asking the leader/,
      prepare: (page) => page.getByRole("button", { name: "Repair drift…" }).click(),
    },
    {
      name: "node-routes",
      path: `${cluster}/nodes/node-0009?tab=routes`,
      shows: "Should lead to",
      phone: true,
    },
    { name: "node-route-step", path: `${cluster}/nodes/node-0009`, shows: "Initialised in" },
    { name: "overview-routes", path: cluster, shows: "No more nodes fit", phone: true },
    { name: "volumes", path: `${cluster}/volumes`, shows: "pv-moved", phone: true },
    { name: "volumes-peek", path: `${cluster}/volumes?peek=pv-moved`, shows: "Node affinity" },
  ];
}

/** Returns lists with many rows. */
export function largeAddresses(cluster: string): readonly Address[] {
  const lists: readonly (readonly [string, string, string | RegExp])[] = [
    ["nodes-5000", "nodes", "node-5000"],
    ["nodes-5000-all", "nodes?sort=name", "node-0001"],
    ["balancers-5000", "load-balancers", "frontend-"],
    ["orphans-5000", "load-balancers?view=orphans", "Remove…"],
    ["dry-run-5000", "dry-run", "node-0001"],
    ["routes-5000", "routes", "Stuck"],
    ["routes-5000-matrix", "routes?view=matrix", "no IPv4 range"],
    ["volumes-5000", "volumes", "zone-2"],
    ["runs-5000", "runs", "node-"],
    ["actions-5000", "actions", "Retry node"],
    ["audit-5000", "audit", "entries"],
    ["controllers-5000", "controllers", "Processes"],
  ];
  return [
    { name: "overview-5000", path: cluster, shows: "Needs you", phone: true },
    ...lists.map(([name, path, shows]) => ({
      name,
      path: `${cluster}/${path}`,
      shows,
      phone: true,
    })),
    {
      name: "nodes-5000-selected",
      path: `${cluster}/nodes?state=stuck`,
      shows: /selected/,
      prepare: (page) => page.getByRole("checkbox", { name: /^Select all/ }).check(),
      phone: true,
    },
  ];
}

/** Returns pages for a ledger to which no controller has ever reported. */
export function unheardAddresses(): readonly Address[] {
  return [
    { name: "clusters-none", path: "/", shows: /cluster/i, phone: true },
    { name: "settings-flags-none", path: "/settings/flags", shows: /flags/i },
    { name: "settings-controllers-none", path: "/settings/controllers", shows: /controller/i },
  ];
}

/** Returns pages of a cluster without nodes, Services and routes, whose leader has just started. */
export function bareAddresses(cluster: string): readonly Address[] {
  const pages: readonly (readonly [string, string, string | RegExp])[] = [
    ["overview-bare", "", "Overview"],
    ["nodes-bare", "/nodes", "Nodes"],
    ["balancers-bare", "/load-balancers", "Load balancers"],
    ["orphans-bare", "/load-balancers?view=orphans", "Orphans"],
    ["dry-run-bare", "/dry-run", "Dry run"],
    ["routes-bare", "/routes", "Routes"],
    ["routes-foreign-bare", "/routes?show=foreign", "Not ours"],
    ["routes-stale-bare", "/routes?show=stale", "Without a node"],
    ["volumes-bare", "/volumes", "Volumes"],
    ["runs-bare", "/runs", "Runs"],
    ["actions-bare", "/actions", "Actions"],
    ["audit-bare", "/audit", "Audit"],
    ["controllers-bare", "/controllers", "Processes"],
    ["budget-bare", "/budget", "Budget"],
  ];
  return pages.map(([name, path, shows]) => ({
    name,
    path: `${cluster}${path}`,
    shows,
    phone: true,
  }));
}

/** Returns pages of a cluster without the route and volume controllers. */
export function noRoutesAddresses(cluster: string): readonly Address[] {
  return [
    { name: "routes-off", path: `${cluster}/routes`, shows: "is not running here", phone: true },
    { name: "volumes-off", path: `${cluster}/volumes`, shows: "is not running here" },
    { name: "cluster-not-found", path: "/c/nobody", shows: /cluster/ },
    { name: "page-not-found", path: "/nowhere", shows: /page/, phone: true },
  ];
}

/** Returns each page, for when its queries are not answered. */
export function unansweredAddresses(cluster: string): readonly Address[] {
  const asked: readonly (readonly [string, string, RegExp])[] = [
    ["overview-error", "", /overview\.byCluster/],
    ["nodes-error", "/nodes", /nodes\.list/],
    ["node-error", "/nodes/node-0009", /nodes\.byName/],
    ["balancers-error", "/load-balancers", /balancers\.list/],
    ["balancer-error", "/load-balancers/shop/web", /balancers\.byName/],
    ["orphans-error", "/load-balancers?view=orphans", /balancers\.orphans/],
    ["dry-run-error", "/dry-run", /shadow\.pending/],
    ["routes-error", "/routes", /routes\.list/],
    ["routes-tables-error", "/routes", /routes\.tables/],
    ["volumes-error", "/volumes", /volumes\.list/],
    ["runs-error", "/runs", /runs\.list/],
    ["run-error", "/runs/01900000-0000-7000-8000-000000000001", /runs\.byId/],
    ["actions-error", "/actions", /intents\.list/],
    ["audit-error", "/audit", /audit\.list/],
    ["budget-error", "/budget", /budget\.byCluster/],
  ];
  const settings: readonly (readonly [string, RegExp])[] = [
    ["users", /people\.list/],
    ["sessions", /sessions\./],
    ["flags", /controllers\.settings/],
  ];
  return [
    ...asked.map(([name, path, procedure]) =>
      unanswered({ name, path: `${cluster}${path}`, shows: "Try again" }, procedure),
    ),
    unanswered(
      {
        name: "controllers-error",
        path: `${cluster}/controllers`,
        shows: "could not be counted",
      },
      /controllers\.activity/,
    ),
    ...settings.map(([section, procedure]) =>
      unanswered(
        { name: `settings-${section}-error`, path: `/settings/${section}`, shows: "Try again" },
        procedure,
      ),
    ),
  ];
}

function unanswered(address: Address, procedure: RegExp): Address {
  const asked = new RegExp(`api/trpc/.*${procedure.source}`);
  return {
    ...address,
    prepare: async (page: Page) => {
      await page.route(asked, (request) => request.abort());
      await page.reload();
    },
    restore: (page) => page.unrouteAll(),
    phone: true,
  };
}

/** Returns pages of a cluster whose current and previous leaders have not reported for a while. */
export function leaderlessAddresses(cluster: string): readonly Address[] {
  return [
    { name: "overview-leaderless", path: cluster, shows: "Overview", phone: true },
    { name: "nodes-leaderless", path: `${cluster}/nodes`, shows: "node-0", phone: true },
    { name: "node-leaderless", path: `${cluster}/nodes/node-0009`, shows: "node-0009" },
    { name: "controllers-leaderless", path: `${cluster}/controllers`, shows: "Processes" },
    { name: "budget-leaderless", path: `${cluster}/budget`, shows: "Budget" },
  ];
}

/** Returns pages of a cluster whose cloud answers every request with 503. */
export function cloudlessAddresses(cluster: string): readonly Address[] {
  return [
    { name: "overview-cloudless", path: cluster, shows: "Needs you", phone: true },
    { name: "nodes-cloudless", path: `${cluster}/nodes`, shows: "503", phone: true },
    { name: "node-cloudless", path: `${cluster}/nodes/node-0001`, shows: "503", phone: true },
    { name: "controllers-cloudless", path: `${cluster}/controllers`, shows: "503" },
  ];
}
