import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { IdleController } from "@cloudwright/core/model/records/record";
import type { Provider } from "@cloudwright/provider-api";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { selectedControllers } from "../../flags/selection.ts";
import { MODULE_NAMES } from "../../modules.ts";
import { flagAgainst, lackOf } from "../controllers/controller-needs.ts";
import type { Placement } from "./placement.ts";

export interface IdleQuestion {
  readonly flags: FlagValues;
  readonly provider: Provider;
  /** The running controllers. */
  readonly running: readonly ControllerName[];
  readonly isLeading: boolean;
  readonly placement: Pick<Placement, "elsewhere" | "migrated" | "migrationLease">;
  readonly holdsMigrationLease: boolean;
}

/** Returns the controllers that do not run in this process, and why; on a standby, those that would not run if it led. */
export function idleControllers(question: IdleQuestion): readonly IdleController[] {
  return MODULE_NAMES.filter((name) => !question.running.includes(name)).flatMap((name) => {
    const idle = causeOf(question, name);
    return idle === undefined ? [] : [{ name, ...idle }];
  });
}

type Cause = Omit<IdleController, "name">;

function causeOf(question: IdleQuestion, name: ControllerName): Cause | undefined {
  const { flags, provider, isLeading, placement } = question;
  const flag = flagAgainst(flags, name);
  if (flag !== undefined) return { cause: "flagOff", what: `${flag}=false` };
  if (!selectedControllers(flags).includes(name)) return { cause: "notSelected" };
  const other = placement.elsewhere.find(({ controller }) => controller === name);
  if (other !== undefined) return { cause: "elsewhere", what: other.component };
  const lack = lackOf(provider, name);
  if (lack !== undefined) return { cause: "notOffered", what: lack };
  return isLeading ? causeBeforeStart(question, name) : undefined;
}

/** On a leader, for a controller that can run here but has not started yet. */
function causeBeforeStart(question: IdleQuestion, name: ControllerName): Cause {
  const { migrated, migrationLease } = question.placement;
  const waits = migrated.includes(name) && !question.holdsMigrationLease;
  return waits && migrationLease !== undefined
    ? { cause: "waitsForLease", what: migrationLease }
    : { cause: "starting" };
}
