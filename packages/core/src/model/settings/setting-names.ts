/** The flags whose value can also be changed at run time. Separate from their definitions, as each page loads this. */
export const SETTING_NAMES = [
  "node-deletion-guard",
  "node-monitor-period",
  "node-status-update-frequency",
  "load-balancer-drift-period",
  "route-reconciliation-period",
  "volume-drift-period",
  "audit-checkpoint-period",
  "ledger-retention-runs",
  "ledger-retention-bodies",
  "ledger-retention-actions",
  "ledger-retention-gone",
  "ledger-retention-budget",
  "ledger-retention-incidents",
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

export function isSettingName(name: string): name is SettingName {
  return SETTING_NAMES.some((known) => known === name);
}
