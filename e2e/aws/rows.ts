import type { Row } from "./environment.ts";
import { annotationRows, removalRow } from "./rows/annotations.ts";
import { balancerRows } from "./rows/balancers.ts";
import { consistencyRows } from "./rows/consistency.ts";
import { faultRows } from "./rows/faults.ts";
import { managedRows } from "./rows/managed.ts";
import { nodeRows } from "./rows/nodes.ts";
import { routeRows } from "./rows/routes.ts";
import { tlsRows } from "./rows/tls.ts";

/** All of them, in the order in which they run: each goes on where the one before has ended. */
export const ROWS: readonly Row[] = [
  ...nodeRows,
  ...balancerRows,
  ...annotationRows,
  removalRow,
  ...tlsRows,
  ...managedRows,
  ...faultRows,
  ...consistencyRows,
  ...routeRows,
];
