import { ROLE_NAMES } from "@cloudwright/store/roles/rights";
import {
  grantCluster,
  hasLogin,
  listControllerLogins,
  openClusterLogin,
  revokeCluster,
} from "@cloudwright/store/roles/role-logins";
import type { Command } from "commander";
import { PlainError } from "../plain-error.ts";
import { clusterUid } from "./audit/cluster-checkpoint.ts";
import { askDatabase } from "./ledger/database-failure.ts";
import { clusterId, withLedger } from "./ledger/ledger-selection.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { checkRoleUrlsFile, readRoleUrls, writeRoleUrls } from "./ledger/role-urls-file.ts";
import { print } from "./terminal/print.ts";

interface ClusterFlags extends DatabaseFlags {
  readonly cluster?: string;
  readonly kubeconfig?: string;
  readonly login?: string;
}

interface GrantFlags extends ClusterFlags {
  readonly roleUrls?: string;
}

/** `cloudwright database`: manages which controller's login may write audit entries for which cluster. */
export function addDatabaseCommand(root: Command): void {
  const database = root
    .command("database")
    .description("manage which database logins may write audit entries for which cluster")
    .enablePositionalOptions();
  const logins = database
    .command("logins")
    .description("list which login may write for which cluster");
  withDatabase(logins).action(printLogins);
  const grant = database
    .command("grant")
    .description("allow a controller's login to write the audit entries of a cluster")
    .option(
      "--role-urls <file>",
      "create a login for this cluster only, and store its connection string in this file",
    );
  withDatabase(withCluster(grant)).action(grantLogin);
  const revoke = database
    .command("revoke")
    .description("revoke a controller login's right to write for a cluster");
  withDatabase(withCluster(revoke)).action(revokeLogin);
}

function withCluster(command: Command): Command {
  return command
    .option("--cluster <id or name>", "the cluster; its id is the UID of its namespace kube-system")
    .option("--kubeconfig <file>", "the cluster that this kubeconfig points to")
    .option("--login <name>", `the login; ${ROLE_NAMES.controller} when left out`);
}

function withDatabase(command: Command): Command {
  return command.option(...DATABASE_OPTIONS.url).option(...DATABASE_OPTIONS.data);
}

async function printLogins(flags: DatabaseFlags): Promise<void> {
  const found = await askDatabase(listControllerLogins(requireDatabaseUrl(flags)));
  const lines = found.map(
    ({ login, cluster, boundAt, boundBy }) =>
      `${login}  ${cluster}  since ${new Date(boundAt).toISOString()} by ${boundBy}\n`,
  );
  const none =
    "No login is bound to a cluster yet: the first controller that writes binds its own.\n";
  await print(lines.length === 0 ? none : lines.join(""));
}

async function grantLogin(flags: GrantFlags): Promise<void> {
  const url = requireDatabaseUrl(flags);
  const { roleUrls: file, login } = flags;
  if (file !== undefined && login !== undefined) {
    throw new PlainError("Give --login for a login that exists, or --role-urls for a new one.");
  }
  const cluster = await clusterOf(url, flags);
  if (file === undefined) {
    if (login !== undefined) await requireLogin(url, login);
    await askDatabase(grantCluster(url, { cluster, login }));
    await print(`${login ?? ROLE_NAMES.controller} may write for the cluster ${cluster}.\n`);
    return;
  }
  const earlier = readRoleUrls(file).controller;
  checkRoleUrlsFile(file);
  const controller = await askDatabase(openClusterLogin(url, cluster, earlier));
  writeRoleUrls(file, { controller });
  await print(
    `${new URL(controller).username} may write only for the cluster ${cluster}. Its connection string is in ${file}.\n`,
  );
}

async function requireLogin(url: string, login: string): Promise<void> {
  if (await askDatabase(hasLogin(url, login))) return;
  throw new PlainError(
    `There is no login ${login} on this server: check the name, or create it with CREATE ROLE.`,
  );
}

async function revokeLogin(flags: ClusterFlags): Promise<void> {
  const url = requireDatabaseUrl(flags);
  const { login = ROLE_NAMES.controller } = flags;
  const cluster = await clusterOf(url, flags);
  if (!(await askDatabase(revokeCluster(url, { cluster, login })))) {
    throw new PlainError(`${login} has no grant for the cluster ${cluster}: see database logins.`);
  }
  await print(`${login} may no longer write for the cluster ${cluster}.\n`);
}

const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the cluster's id. A cluster that no controller has reported yet can only be named by its id. */
async function clusterOf(url: string, { cluster, kubeconfig }: ClusterFlags): Promise<string> {
  if (kubeconfig !== undefined) return await clusterUid(kubeconfig);
  if (cluster === undefined) {
    throw new PlainError("Name the cluster with --cluster or --kubeconfig.");
  }
  if (UID.test(cluster)) return cluster;
  return await withLedger(url, (db) => clusterId(db, cluster));
}
