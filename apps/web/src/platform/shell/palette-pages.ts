import { addresses } from "../../components/url/addresses.ts";

export interface Jump {
  readonly label: string;
  readonly href: string;
}

/** Where the palette can go besides what it finds: the pages whose name matches. */
export function jumpsFor(cluster: string, query: string): readonly Jump[] {
  const text = query.trim().toLowerCase();
  return pages(cluster).filter(({ label }) => label.toLowerCase().includes(text));
}

function pages(cluster: string): readonly Jump[] {
  const nodes = addresses.nodes(cluster);
  return [
    { label: "Overview", href: addresses.overview(cluster) },
    { label: "Nodes", href: nodes },
    { label: "Nodes that are stuck", href: `${nodes}?state=stuck` },
    { label: "Nodes that drifted", href: `${nodes}?drift=drifted` },
    { label: "Nodes: how long initialisation took", href: addresses.initialisation(cluster) },
    { label: "Load balancers", href: addresses.balancers(cluster) },
    {
      label: "Load balancers that are stuck",
      href: `${addresses.balancers(cluster)}?state=stuck`,
    },
    {
      label: "Load balancers that drifted",
      href: `${addresses.balancers(cluster)}?drift=drifted`,
    },
    { label: "Load balancers without a Service", href: addresses.orphans(cluster) },
    { label: "Routes", href: addresses.routes(cluster) },
    { label: "Routes that are stuck", href: addresses.routes(cluster, "?state=stuck") },
    { label: "Routes that drifted", href: addresses.routes(cluster, "?drift=drifted") },
    { label: "Routes that are not ours", href: addresses.routes(cluster, "?show=foreign") },
    { label: "Routes of ours without a node", href: addresses.routes(cluster, "?show=stale") },
    { label: "Routes on a map of the tables", href: addresses.routes(cluster, "?show=map") },
    { label: "Topology: zones and nodes", href: addresses.topology(cluster) },
    {
      label: "Topology: Services and what is behind them",
      href: addresses.topology(cluster, "?show=services"),
    },
    { label: "Volumes", href: addresses.volumes(cluster) },
    { label: "Takeover from an earlier manager", href: addresses.takeover(cluster) },
    { label: "Dry run: what it would do", href: addresses.dryRun(cluster) },
    { label: "Runs", href: addresses.runs(cluster) },
    { label: "Runs that failed", href: addresses.runs(cluster, "outcome:failed") },
    { label: "Runs that changed something", href: addresses.runs(cluster, "outcome:changed") },
    { label: "Changes: what differs from before", href: addresses.changes(cluster) },
    { label: "Changes of the last day", href: addresses.changes(cluster, "?from=-24h") },
    { label: "Actions", href: addresses.actions(cluster) },
    { label: "Audit", href: addresses.audit(cluster) },
    { label: "Audit: what was refused", href: addresses.audit(cluster, "?q=result:refused") },
    { label: "Audit: sign-ins and users", href: addresses.audit(cluster, "?chain=accounts") },
    { label: "Incidents that were shared", href: addresses.incidents(cluster) },
    { label: "Controllers", href: addresses.controllers(cluster) },
    { label: "Budget: calls to the cloud", href: addresses.budget(cluster) },
    { label: "Budget of the last day", href: addresses.budget(cluster, "?range=day") },
    { label: "Settings: users and roles", href: addresses.settings("users") },
    { label: "Settings: sessions and password", href: addresses.settings("sessions") },
    { label: "Settings: controllers", href: addresses.settings("controllers") },
    { label: "Settings: controller flags", href: addresses.settings("flags") },
    { label: "Settings: appearance", href: addresses.settings("appearance") },
    { label: "All clusters", href: addresses.clusters() },
  ];
}
