import { t } from "@cloudwright/core/model/language/text";
import { addresses } from "../../../components/url/addresses.ts";

export interface Jump {
  readonly label: string;
  readonly href: string;
}

/** Returns where the palette can go besides its findings: the pages whose name matches. */
export function jumpsFor(cluster: string, query: string): readonly Jump[] {
  const text = query.trim().toLowerCase();
  return pages(cluster).filter(({ label }) => label.toLowerCase().includes(text));
}

function pages(cluster: string): readonly Jump[] {
  const nodes = addresses.nodes(cluster);
  return [
    { label: t`Overview`, href: addresses.overview(cluster) },
    { label: t`Nodes`, href: nodes },
    { label: t`Nodes that are stuck`, href: `${nodes}?state=stuck` },
    { label: t`Nodes that drifted`, href: `${nodes}?drift=drifted` },
    { label: t`Nodes: how long initialisation took`, href: addresses.initialisation(cluster) },
    { label: t`Load balancers`, href: addresses.balancers(cluster) },
    {
      label: t`Load balancers that are stuck`,
      href: `${addresses.balancers(cluster)}?state=stuck`,
    },
    {
      label: t`Load balancers that drifted`,
      href: `${addresses.balancers(cluster)}?drift=drifted`,
    },
    { label: t`Load balancers without a Service`, href: addresses.orphans(cluster) },
    { label: t`Routes`, href: addresses.routes(cluster) },
    { label: t`Routes that are stuck`, href: addresses.routes(cluster, "?state=stuck") },
    { label: t`Routes that drifted`, href: addresses.routes(cluster, "?drift=drifted") },
    { label: t`Routes that are not ours`, href: addresses.routes(cluster, "?show=foreign") },
    { label: t`Routes of ours without a node`, href: addresses.routes(cluster, "?show=stale") },
    { label: t`Routes on a map of the tables`, href: addresses.routes(cluster, "?show=map") },
    { label: t`Topology: zones and nodes`, href: addresses.topology(cluster) },
    {
      label: t`Topology: Services and what is behind them`,
      href: addresses.topology(cluster, "?show=services"),
    },
    { label: t`Volumes`, href: addresses.volumes(cluster) },
    { label: t`Takeover from an earlier manager`, href: addresses.takeover(cluster) },
    { label: t`Dry run: what it would do`, href: addresses.dryRun(cluster) },
    { label: t`Runs`, href: addresses.runs(cluster) },
    { label: t`Runs that failed`, href: addresses.runs(cluster, "outcome:failed") },
    { label: t`Runs that changed something`, href: addresses.runs(cluster, "outcome:changed") },
    { label: t`Changes: what differs from before`, href: addresses.changes(cluster) },
    { label: t`Changes of the last day`, href: addresses.changes(cluster, "?from=-24h") },
    { label: t`Actions`, href: addresses.actions(cluster) },
    { label: t`Audit`, href: addresses.audit(cluster) },
    { label: t`Audit: refused requests`, href: addresses.audit(cluster, "?q=result:refused") },
    { label: t`Audit: sign-ins and users`, href: addresses.audit(cluster, "?chain=accounts") },
    { label: t`Shared incidents`, href: addresses.incidents(cluster) },
    { label: t`Controllers`, href: addresses.controllers(cluster) },
    { label: t`Budget: calls to the cloud`, href: addresses.budget(cluster) },
    { label: t`Budget of the last day`, href: addresses.budget(cluster, "?range=day") },
    ...settingsPages(),
    { label: t`All clusters`, href: addresses.clusters() },
  ];
}

export function settingsPages(): readonly Jump[] {
  return [
    { label: t`Settings: users and roles`, href: addresses.settings("users") },
    { label: t`Settings: sessions and password`, href: addresses.settings("sessions") },
    { label: t`Settings: controllers`, href: addresses.settings("controllers") },
    { label: t`Settings: controller flags`, href: addresses.settings("flags") },
    { label: t`Settings: appearance`, href: addresses.settings("appearance") },
  ];
}
