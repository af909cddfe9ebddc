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
 * How long the ledger keeps what, as it holds now. Any process may clean up, also one that does not lead, so it is read anew for
 * each clean-up. Throws KubeError while that cannot be known: nothing is deleted then that a user wants kept.
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
