import type { FlagValues } from "../../flags/definitions/all.ts";
import { PlainError, readNamedFile } from "../../plain-error.ts";
import {
  DEFAULT_LEADER_MIGRATION,
  type LeaderMigration,
  LeaderMigrationProblem,
  parseLeaderMigration,
} from "./leader-migration.ts";
import { contradictions } from "./placement.ts";

type MigrationFlags = Pick<
  FlagValues,
  "enable-leader-migration" | "leader-migration-config" | "leader-elect-resource-name"
>;

/**
 * What the flags say of controllers that move between processes; undefined when none does. Throws PlainError with exit
 * code 1 for a file that cannot be read or used (spec/00 §10).
 */
export async function readLeaderMigration(
  flags: MigrationFlags,
): Promise<LeaderMigration | undefined> {
  if (!flags["enable-leader-migration"]) return undefined;
  const path = flags["leader-migration-config"];
  const migration = path === "" ? DEFAULT_LEADER_MIGRATION : readConfig(path);
  const subject = path === "" ? "--enable-leader-migration" : `--leader-migration-config ${path}`;
  if (migration.leaderName === flags["leader-elect-resource-name"]) {
    throw new PlainError(
      `${subject} takes the Lease ${migration.leaderName}, which is the main one: give one of the two another name.`,
    );
  }
  const [twice] = contradictions(migration);
  if (twice !== undefined) {
    throw new PlainError(
      `${subject} gives the controller ${twice} to two components: leave one entry.`,
    );
  }
  return migration;
}

function readConfig(path: string): LeaderMigration {
  const text = readNamedFile("--leader-migration-config", path);
  try {
    return parseLeaderMigration(text);
  } catch (cause) {
    if (!(cause instanceof LeaderMigrationProblem)) throw cause;
    throw new PlainError(`--leader-migration-config ${path} ${cause.message}.`, { cause });
  }
}
