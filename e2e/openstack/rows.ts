import type { Row } from "./environment.ts";
import { callRows } from "./rows/calls.ts";
import { changedLaterRows } from "./rows/changed-later.ts";
import { crashRows } from "./rows/crashes.ts";
import { dashboardRows } from "./rows/dashboard.ts";
import { faultRows } from "./rows/faults.ts";
import { kitRows } from "./rows/kits.ts";
import { loginRows } from "./rows/login.ts";
import { nodeRows } from "./rows/nodes.ts";
import { optionRows } from "./rows/options.ts";
import { routeRows } from "./rows/routes.ts";
import { serviceRows } from "./rows/services.ts";
import { takeoverRows } from "./rows/takeover.ts";

/** Each holds the controller back for a minute or more. */
const LONG: ReadonlySet<string> = new Set(["O-N-08", "O-R-06"]);

/** All of them, in the order in which they run. */
export const ROWS: readonly Row[] = [
  ...loginRows,
  ...nodeRows,
  ...serviceRows,
  ...[...optionRows, ...changedLaterRows].map((each): Row => ({ ...each, isLong: true })),
  ...routeRows,
  ...faultRows,
  ...takeoverRows,
  ...callRows,
  ...dashboardRows,
  ...crashRows,
  ...kitRows,
].map((each) => (LONG.has(each.id) ? { ...each, isLong: true } : each));
