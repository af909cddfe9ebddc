import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { selectedControllers } from "../../flags/selection.ts";
import { MODULES, nameMeantBy } from "../../modules.ts";
import { PlainError, readNamedFile } from "../../plain-error.ts";
import type { ProcessContext } from "../process-context.ts";
import {
  DEFAULT_LEADER_MIGRATION,
  type LeaderMigration,
  LeaderMigrationProblem,
  type MigrationComponent,
  parseLeaderMigration,
} from "./leader-migration.ts";

/** The Lease under which a controller runs in this process, or the component that runs it instead. */
export type Place =
  | { readonly lease: "main" | "migration" }
  | { readonly lease: "none"; readonly component: MigrationComponent };

const MAIN: Place = { lease: "main" };

/**
 * Returns where a controller runs (spec/00 §10): if not listed, under the main Lease; if listed for us or for anybody, under the
 * migration's; if listed for another component, not here.
 */
export function placeOf(controller: ControllerName, migration: LeaderMigration | undefined): Place {
  const entry = migration?.controllerLeaders.find(({ name }) => ourName(name) === controller);
  if (entry === undefined) return MAIN;
  const isOurs = entry.component === "cloud-controller-manager" || entry.component === "*";
  return isOurs ? { lease: "migration" } : { lease: "none", component: entry.component };
}

/** Returns our controller that a configuration names in any spelling; undefined for controllers of other managers. */
function ourName(name: string): ControllerName | undefined {
  return nameMeantBy(name) ?? MODULES.find(({ migratesAs }) => migratesAs === name)?.name;
}

/** Returns our controllers that a configuration assigns to two components at once, by the names that it uses. */
export function contradictions({ controllerLeaders }: LeaderMigration): readonly string[] {
  return controllerLeaders.flatMap(({ name, component }, index) => {
    const ours = ourName(name);
    const before = controllerLeaders
      .slice(0, index)
      .find((other) => ours !== undefined && ourName(other.name) === ours);
    return before === undefined || before.component === component ? [] : [name];
  });
}

/** Which of the selected controllers run in this process, in the fixed order in which they start. */
export interface Placement {
  /** Under the main Lease. */
  readonly main: readonly ControllerName[];
  /** Under the migration Lease. */
  readonly migrated: readonly ControllerName[];
  /** Not here; each with the component that runs it instead. */
  readonly elsewhere: readonly {
    readonly controller: ControllerName;
    readonly component: MigrationComponent;
  }[];
  /** Name of the migration Lease; undefined if no second one has to be held. */
  readonly migrationLease: string | undefined;
}

export interface PlacementOptions {
  readonly selected: readonly ControllerName[];
  readonly migration: LeaderMigration | undefined;
  /** If false, everything that runs here is under the main Lease, as in a dry run, which holds only its own. */
  readonly hasSecondLease: boolean;
}

export function placementOf({ selected, migration, hasSecondLease }: PlacementOptions): Placement {
  const placed = selected.map((controller) => ({
    controller,
    place: placeOf(controller, migration),
  }));
  const isMain = ({ lease }: Place) =>
    lease === "main" || (lease === "migration" && !hasSecondLease);
  const isMigrated = ({ lease }: Place) => lease === "migration" && hasSecondLease;
  return {
    main: placed.filter(({ place }) => isMain(place)).map(({ controller }) => controller),
    migrated: placed.filter(({ place }) => isMigrated(place)).map(({ controller }) => controller),
    elsewhere: placed.flatMap(({ controller, place }) =>
      place.lease === "none" ? [{ controller, component: place.component }] : [],
    ),
    migrationLease: hasSecondLease ? migration?.leaderName : undefined,
  };
}

/** Returns which of the selected controllers run in this process. A dry run holds no second Lease. */
export function placementHere({
  flags,
  migration,
}: Pick<ProcessContext, "flags" | "migration">): Placement {
  return placementOf({
    selected: selectedControllers(flags),
    migration,
    hasSecondLease: !flags["dry-run"],
  });
}

type MigrationFlags = Pick<
  FlagValues,
  "enable-leader-migration" | "leader-migration-config" | "leader-elect-resource-name"
>;

/**
 * Returns the migration that the flags configure; undefined if no controller migrates. Throws PlainError with exit code 1 for a
 * file that cannot be read or used (spec/00 §10).
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
