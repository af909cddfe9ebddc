import type { LoginStanding } from "@cloudwright/store/sql/roles";
import { type Judged, ok, problem, unknown } from "./finding.ts";

const ITS_OWN =
  "Give the controller's connection string, which cloudwright migrate --role-urls stores.";

/** Judges whether the database login may record what this cluster's controllers do; if not, their records stay in the spool. */
export function judgeLogin(standing: LoginStanding, cluster: string | undefined): Judged {
  const { login, kind, clusters, isFirst } = standing;
  switch (kind) {
    case "none":
      return problem(
        `The database's login ${login} has no rights on the ledger, so nothing would be recorded.`,
        ITS_OWN,
      );
    case "web":
      return problem(
        `The database's login ${login} is the dashboard's, which may not write a controller's records.`,
        ITS_OWN,
      );
    case "owner":
      return ok(`The database's login ${login} owns the ledger, and may record for every cluster.`);
    case "controller":
    case "both":
      break;
  }
  if (isFirst) {
    return ok(`The database's login ${login} may record: this would be its first cluster.`);
  }
  if (cluster === undefined) {
    return unknown(
      `It is not known whether the database's login ${login} may record for this cluster, because the cluster's id could not be read.`,
      "Run doctor as somebody who may read the namespace kube-system.",
    );
  }
  return clusters.includes(cluster)
    ? ok(`The database's login ${login} may record for this cluster.`)
    : problem(
        `The database's login ${login} may not record for this cluster (${cluster}), so its records would stay in --spool-dir.`,
        `Run cloudwright database grant --cluster ${cluster} with the login that owns the ledger.`,
      );
}
