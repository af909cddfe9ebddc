import type { Row } from "./environment.ts";
import { annotationRows, removalRow } from "./rows/annotations.ts";
import { balancerRows } from "./rows/balancers.ts";
import { bothKindsRows } from "./rows/both-kinds.ts";
import { consistencyRows } from "./rows/consistency.ts";
import { faultRows } from "./rows/faults.ts";
import { lastingFaultRows } from "./rows/lasting-faults.ts";
import { managedRows } from "./rows/managed.ts";
import { nodeRows } from "./rows/nodes.ts";
import { refusalRow } from "./rows/refusals.ts";
import { routeRows } from "./rows/routes.ts";
import { tlsRows } from "./rows/tls.ts";

/** All of them, in the order in which they run: each goes on where the one before has ended. */
export const ROWS: readonly Row[] = [
  ...nodeRows,
  ...balancerRows,
  ...annotationRows,
  ...bothKindsRows,
  refusalRow,
  removalRow,
  ...tlsRows,
  ...managedRows,
  ...faultRows,
  ...lastingFaultRows,
  ...consistencyRows,
  ...routeRows,
];
