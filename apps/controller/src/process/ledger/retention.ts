import { SETTINGS } from "@cloudwright/core/model/settings/settings";
import {
  type OverridesPlace,
  readOverrides,
} from "@cloudwright/core/reconcile/controls/read-overrides";
import type { Retention } from "@cloudwright/store/upkeep/retention";
import type { FlagValues } from "../../flags/definitions/all.ts";

const SETTING_OF = {
  runsMs: "ledger-retention-runs",
  bodiesMs: "ledger-retention-bodies",
  intentsMs: "ledger-retention-actions",
  goneMs: "ledger-retention-gone",
  budgetMs: "ledger-retention-budget",
  incidentsMs: "ledger-retention-incidents",
} as const satisfies Record<keyof Retention, keyof typeof SETTINGS>;

/**
 * Returns the current retention of the ledger's records. Any process may clean up, even one that is not the leader, so it is read
 * before each clean-up. Throws KubeError if it cannot be read, so that nothing is deleted that a user wants to keep.
 */
export async function retentionNow(
  place: OverridesPlace,
  flags: Pick<FlagValues, (typeof SETTING_OF)[keyof Retention]>,
): Promise<Retention> {
  const overrides = await readOverrides(place);
  const keeps = (of: keyof Retention): number => {
    const name = SETTING_OF[of];
    return SETTINGS[name].kind.read(overrides(name) ?? "")?.value ?? flags[name];
  };
  return {
    runsMs: keeps("runsMs"),
    bodiesMs: keeps("bodiesMs"),
    intentsMs: keeps("intentsMs"),
    goneMs: keeps("goneMs"),
    budgetMs: keeps("budgetMs"),
    incidentsMs: keeps("incidentsMs"),
  };
}
