import type { SettingValues } from "../../../model/settings/settings.ts";

const DAY_MS = 86_400_000;

/** The flags' default values. */
export const FLAGS: SettingValues = {
  "node-deletion-guard": { nodes: 5, percent: 10, windowMs: 600_000 },
  "node-monitor-period": 5_000,
  "node-status-update-frequency": 300_000,
  "load-balancer-drift-period": 300_000,
  "route-reconciliation-period": 10_000,
  "volume-drift-period": 300_000,
  "audit-checkpoint-period": 10_000,
  "ledger-retention-runs": 30 * DAY_MS,
  "ledger-retention-bodies": 7 * DAY_MS,
  "ledger-retention-actions": 90 * DAY_MS,
  "ledger-retention-gone": 30 * DAY_MS,
  "ledger-retention-budget": 7 * DAY_MS,
  "ledger-retention-incidents": 90 * DAY_MS,
};
