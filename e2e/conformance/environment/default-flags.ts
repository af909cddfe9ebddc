import type { Flags } from "../../harness/controller.ts";

/** The flags of spec/90 §0 that hold unless a row says otherwise. The rows together delete more than the guard lets through. */
export const DEFAULT_FLAGS: Flags = {
  "--node-monitor-period": "1s",
  "--node-status-update-frequency": "2s",
  "--route-reconciliation-period": "1s",
  "--configure-cloud-routes": "false",
  "--leader-elect": "false",
  "--node-deletion-guard": "off",
};
