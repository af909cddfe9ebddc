import type { Page } from "@playwright/test";
import type { Variety } from "./variety.ts";

export interface Address {
  /** Name of the screenshot's file. */
  readonly name: string;
  readonly path: string;
  /** A text that the page shows once it is complete. */
  readonly shows: string | RegExp;
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Whether a screenshot is also taken at the size of a phone. */
  readonly phone?: boolean;
  /** Whether the page is already open, so that it is not loaded again. */
  readonly isOpen?: boolean;
  /** Reverts what `prepare` changed on the page itself. */
  readonly restore?: (page: Page) => Promise<unknown>;
}

type Shown = Variety & { readonly cluster: string; readonly usedLink: string };

export function pageAddresses(shown: Shown): readonly Address[] {
  const { cluster, run, failedRun, action, usedLink } = shown;
  const nodes = `${cluster}/nodes`;
  return [
    ...loadBalancerAddresses(shown),
    { name: "sign-in", path: "/sign-in", shows: "You are not signed in", phone: true },
    { name: "sign-in-expired", path: usedLink, shows: "This link does not sign you in" },
    { name: "clusters", path: "/", shows: "staging", phone: true },
    { name: "overview", path: cluster, shows: "Needs you", phone: true },
    { name: "overview-table", path: `${cluster}?hour=table`, shows: "Show as bars" },
    { name: "nodes", path: nodes, shows: "node-5", phone: true },
    { name: "nodes-peek", path: `${nodes}?peek=node-5`, shows: "been stuck", phone: true },
    { name: "nodes-filtered-empty", path: `${nodes}?q=nothing`, shows: "No node matches" },
    { name: "node-ok", path: `${nodes}/node-1`, shows: "Initialised in" },
    { name: "node-stuck", path: `${nodes}/node-5`, shows: "been stuck", phone: true },
    { name: "node-stuck-facts", path: `${nodes}/node-7?tab=facts`, shows: "Cloud says" },
    { name: "node-bad-ip", path: `${nodes}/node-7`, shows: "not among the addresses" },
    { name: "node-stopped", path: `${nodes}/node-3?tab=lifecycle`, shows: "Its instance is" },
    { name: "node-held", path: `${nodes}/node-9`, shows: "INC-91" },
    { name: "node-gone", path: `${nodes}/node-4`, shows: "is gone" },
    { name: "node-runs", path: `${nodes}/node-5?tab=runs`, shows: "Queue + work" },
    { name: "node-json", path: `${nodes}/node-1?tab=json`, shows: "providerID" },
    { name: "node-not-found", path: `${nodes}/nobody`, shows: "No node nobody is known" },
    { name: "runs", path: `${cluster}/runs`, shows: /^\d+ runs$/, phone: true },
    {
      name: "runs-peek",
      path: `${cluster}/runs?peek=${failedRun.split("/").at(-1)}`,
      shows: "Queued",
      phone: true,
    },
    // A stuck node is retried within 2 minutes, and a stopped one is observed every few seconds.
    { name: "runs-new", path: `${cluster}/runs`, shows: /new — show/ },
    { name: "runs-empty", path: `${cluster}/runs?q=key:nobody`, shows: "No run matches" },
    ...["waterfall", "plan", "diff", "compare", "json"].map((view) => ({
      name: `run-${view}`,
      path: `${run}?view=${view}`,
      shows: "Waterfall",
      phone: view === "waterfall",
    })),
    { name: "run-failed", path: failedRun, shows: "rejected our credentials" },
    { name: "actions", path: `${cluster}/actions`, shows: "Retry node node-2", phone: true },
    { name: "action", path: action, shows: "Record" },
    { name: "audit", path: `${cluster}/audit`, shows: "entries since", phone: true },
    {
      name: "audit-peek",
      path: `${cluster}/audit?q=action:node.delete`,
      shows: "Before and after",
      prepare: (page) => page.getByRole("link", { name: "Delete node" }).first().click(),
      phone: true,
    },
    {
      name: "audit-verified",
      path: `${cluster}/audit`,
      shows: "entries are as written",
      prepare: (page) => page.getByRole("button", { name: "Verify now" }).click(),
    },
    { name: "audit-accounts", path: `${cluster}/audit?chain=accounts`, shows: "Sign in" },
    {
      name: "settings-users",
      path: "/settings/users",
      shows: "Override the taint of a node",
      phone: true,
    },
    {
      name: "settings-add-person",
      path: "/settings/users",
      shows: "They get a link",
      prepare: (page) => page.getByRole("button", { name: "Add user…" }).click(),
    },
    { name: "settings-sessions", path: "/settings/sessions", shows: "this session", phone: true },
    { name: "settings-controllers", path: "/settings/controllers", shows: "Deletion guard" },
    { name: "settings-flags", path: "/settings/flags", shows: "Set:", phone: true },
    { name: "controllers", path: `${cluster}/controllers`, shows: "Processes", phone: true },
    { name: "budget", path: `${cluster}/budget`, shows: "Cloud, by operation", phone: true },
    {
      name: "budget-table",
      path: `${cluster}/budget?use=table`,
      shows: "Busiest minute",
      phone: true,
    },
    { name: "budget-day", path: `${cluster}/budget?range=day`, shows: "Cloud, by operation" },
    { name: "settings-appearance", path: "/settings/appearance", shows: "Density of rows" },
    {
      name: "palette",
      path: nodes,
      shows: "sandbox://i-",
      prepare: async (page) => {
        await page.getByRole("heading", { name: "Nodes" }).waitFor();
        await page.keyboard.press("Control+k");
        await page.getByRole("textbox", { name: "Search or jump" }).fill("node");
      },
    },
    {
      name: "retry",
      path: `${nodes}/node-5`,
      shows: "kept in the audit record",
      prepare: (page) => page.getByRole("button", { name: "Retry now" }).click(),
      phone: true,
    },
    {
      name: "hold",
      path: `${nodes}/node-2`,
      shows: /^1 node changes/,
      prepare: (page) => page.getByRole("button", { name: "Hold…" }).click(),
      phone: true,
    },
    {
      name: "override",
      path: `${nodes}/node-5`,
      shows: /becomes schedulable/,
      prepare: async (page) => {
        await page.getByRole("button", { name: "More actions" }).click();
        await page.getByRole("menuitem", { name: /Override taint/ }).click();
      },
      phone: true,
    },
    {
      name: "bulk-retry",
      path: nodes,
      shows: /nodes would change/,
      prepare: async (page) => {
        for (const name of ["node-1", "node-5", "node-9"]) {
          await page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
        }
        await page.getByRole("button", { name: "Retry 3 nodes…" }).click();
      },
    },
  ];
}

function loadBalancerAddresses({ cluster, balancers: loadBalancers }: Shown): readonly Address[] {
  const list = `${cluster}/load-balancers`;
  const { well, drifted, stuck, unowned } = loadBalancers;
  const openMore = async (page: Page) => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: /Write all again/ }).click();
  };
  return [
    { name: "balancers", path: list, shows: well, phone: true },
    {
      name: "balancers-peek",
      path: `${list}?peek=${encodeURIComponent(drifted)}`,
      shows: "Cloud says",
      phone: true,
    },
    {
      name: "balancers-filtered-empty",
      path: `${list}?q=nothing`,
      shows: "No load balancer matches",
    },
    { name: "orphans", path: `${list}?view=orphans`, shows: "Remove…", phone: true },
    { name: "orphans-empty", path: `${list}?view=orphans&q=nothing`, shows: "No orphan matches" },
    { name: "balancer-ok", path: `${list}/${well}`, shows: "From Service to nodes", phone: true },
    { name: "balancer-all", path: `${list}/${well}?all=1`, shows: "listener 443/TCP" },
    {
      name: "balancer-drifted",
      path: `${list}/${drifted}`,
      shows: "compared parts differs",
      phone: true,
    },
    {
      name: "balancer-lines",
      path: `${list}/${drifted}?layout=lines`,
      shows: "desired",
      phone: true,
    },
    { name: "balancer-stuck", path: `${list}/${stuck}`, shows: "been stuck", phone: true },
    { name: "balancer-unowned", path: `${list}/${unowned.service}`, shows: "Adopt…" },
    { name: "balancer-members", path: `${list}/${well}?tab=members`, shows: "node-2", phone: true },
    { name: "balancer-events", path: `${list}/${well}?tab=events`, shows: "Create", phone: true },
    { name: "balancer-runs", path: `${list}/${well}?tab=runs`, shows: "Queue + work" },
    { name: "balancer-json", path: `${list}/${well}?tab=json`, shows: "membersWanted" },
    { name: "balancer-not-found", path: `${list}/shop/nobody`, shows: "is known in this cluster" },
    {
      name: "node-balancers",
      path: `${cluster}/nodes/node-2?tab=balancers`,
      shows: well,
      phone: true,
    },
    {
      name: "reensure",
      path: `${list}/${well}`,
      shows: /^1 load balancer changes/,
      prepare: openMore,
      phone: true,
    },
    {
      name: "adopt",
      path: `${list}/${unowned.service}`,
      shows: /^1 load balancer changes/,
      prepare: (page) => page.getByRole("button", { name: "Adopt…" }).click(),
    },
    {
      name: "remove-orphan",
      path: `${list}?view=orphans`,
      shows: /^1 load balancer is deleted/,
      prepare: (page) => page.getByRole("button", { name: /^Remove…/ }).click(),
      phone: true,
    },
    { name: "takeover", path: `${cluster}/takeover`, shows: unowned.service, phone: true },
    {
      name: "takeover-adopted",
      path: `${cluster}/takeover?view=adopted`,
      shows: /has been adopted/,
    },
    {
      name: "adopt-many",
      path: `${cluster}/takeover`,
      shows: /cloud resource would change/,
      prepare: async (page) => {
        await page.getByRole("checkbox", { name: `Select ${unowned.service}` }).check();
        await page.getByRole("button", { name: "Adopt 1 cloud resource…" }).click();
      },
      phone: true,
    },
    { name: "dry-run", path: `${cluster}/dry-run?show=all`, shows: "Outcome", phone: true },
    { name: "dry-run-changes", path: `${cluster}/dry-run`, shows: /would be changed/ },
  ];
}

/** Returns the address of a page that was open when the database became unavailable. */
export function databaseLostAddress(cluster: string): Address {
  return {
    name: "database-lost",
    path: `${cluster}/nodes`,
    shows: "may be out of date",
    isOpen: true,
  };
}

/** Returns the address of a page that is opened while the database is unavailable. */
export function databaseDownAddress(cluster: string): Address {
  return {
    name: "database-down",
    path: `${cluster}/nodes`,
    shows: "The dashboard cannot reach its database",
  };
}
