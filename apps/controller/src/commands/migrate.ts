import { loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import { sleep } from "@cloudwright/core/kube/sleep";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import type { Clock } from "@cloudwright/core/model/time";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { migrate } from "@cloudwright/store/database/migrate";
import { grantCluster, grantRoles, openRoleLogins } from "@cloudwright/store/roles/role-logins";
import type { Command } from "commander";
import { PlainError } from "../plain-error.ts";
import { askDatabase, isAway } from "./ledger/database-failure.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { checkRoleUrlsFile, readRoleUrls, writeRoleUrls } from "./ledger/role-urls-file.ts";
import { keepingAlive } from "./terminal/keep-alive.ts";
import { durationOption } from "./terminal/options.ts";
import { print } from "./terminal/print.ts";

interface MigrateFlags extends DatabaseFlags {
  readonly roleUrls?: string;
  readonly kubeconfig?: string;
  readonly wait: number;
}

/** Milliseconds between two attempts to reach a database that does not respond yet. */
const RETRY_MS = 1_000;

/** `cloudwright migrate`: updates the database's schema and rights to this release; nothing else changes them. */
export function addMigrateCommand(root: Command): void {
  root
    .command("migrate")
    .description("bring the schema of the database and the rights on it up to date")
    .option(
      "--role-urls <file>",
      "allow the controller's and the dashboard's roles to log in, and store their connection strings in this file",
    )
    .option(
      "--kubeconfig <file>",
      "allow the controllers' login to write for the cluster that this kubeconfig points to",
    )
    .addOption(
      durationOption(
        "--wait <duration>",
        "how long to wait for a database that does not answer",
        0,
      ),
    )
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(async (given: MigrateFlags) => {
      const databaseUrl = requireDatabaseUrl(given);
      await checkFiles(given);
      const migrated = keepingAlive(() =>
        onceItAnswers(() => migrate(databaseUrl), given.wait, systemClock),
      );
      const { applied } = await askDatabase(migrated);
      const reported = applied.map((name) => `Applied ${name}.`);
      const roles = await askDatabase(settleRoles(databaseUrl, given.roleUrls));
      const bound = await bindCluster(databaseUrl, given.kubeconfig);
      const lines = [...reported, roles, ...bound, "The schema is up to date."];
      await print(`${lines.join("\n")}\n`);
    });
}

/** Throws PlainError and KubeConfigError for a file that cannot be used, before anything is changed. */
async function checkFiles({ roleUrls, kubeconfig }: MigrateFlags): Promise<void> {
  if (roleUrls !== undefined) {
    readRoleUrls(roleUrls);
    checkRoleUrlsFile(roleUrls);
  }
  if (kubeconfig !== undefined) await loadKubeConfig({ kubeconfig, clock: systemClock });
}

/** Retries the work, since a migration can be repeated at any time, until `waitMs` after the first attempt; then throws the last error. */
export async function onceItAnswers<Result>(
  attempt: () => Promise<Result>,
  waitMs: number,
  clock: Clock,
): Promise<Result> {
  const deadline = clock.now() + waitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAway(error) || clock.now() + RETRY_MS > deadline) throw error;
      await sleep(clock, RETRY_MS);
    }
  }
}

/** Sets up the roles. A failure does not fail the migration: without the roles everything still works with the owner's login. */
async function settleRoles(databaseUrl: string, file: string | undefined): Promise<string> {
  const granted = await grantRoles(databaseUrl);
  if (granted.kind === "notAllowed") {
    if (file === undefined) return granted.sentence;
    throw new PlainError(granted.sentence);
  }
  const done = "The controller and the dashboard each have a role with the rights that they need.";
  if (file === undefined) return done;
  writeRoleUrls(file, await openRoleLogins(databaseUrl, readRoleUrls(file)));
  return `${done} Their connection strings are in ${file}.`;
}

/** Grants the cluster. If it does not respond yet, the migration does not fail: its controllers report that they have no grant. */
async function bindCluster(
  databaseUrl: string,
  kubeconfig: string | undefined,
): Promise<readonly string[]> {
  if (kubeconfig === undefined) return [];
  const { clusterUid } = await import("./audit/cluster-checkpoint.ts");
  try {
    const cluster = await clusterUid(kubeconfig);
    await askDatabase(grantCluster(databaseUrl, { cluster }));
    return [`The controllers' login may write for the cluster ${cluster}.`];
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const why = messageOf(error);
    return [
      `The cluster of ${kubeconfig} did not return its id (${why}): run cloudwright database grant once it is reachable.`,
    ];
  }
}
