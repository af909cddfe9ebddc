import { same } from "../../harness/wait.ts";
import { shippedRights } from "../clusters/shipped-roles.ts";
import { row, type Scenario } from "../environment/scenario.ts";
import { CALLER_RIGHTS } from "./caller-rights.ts";
import { ELECTION_RIGHTS } from "./election-rights.ts";
import { FOLLOWED_CLIENT_CA } from "./followed-client-ca.ts";
import { IDENTITY_RIGHTS } from "./identity-rights.ts";
import { NODE_RIGHTS, NODE_RIGHTS_ALONE } from "./node-rights.ts";
import { POD_NETWORK_RIGHTS } from "./pod-network-rights.ts";
import { PROCESS_RIGHTS } from "./process-rights.ts";
import { SERVICE_RIGHTS, SERVICE_RIGHTS_ALONE } from "./service-rights.ts";
import { isAbout, type TakenRightRow, withoutRight } from "./taken-right.ts";
import { VOLUME_RIGHTS } from "./volume-rights.ts";

const ROWS: readonly TakenRightRow[] = [
  ...PROCESS_RIGHTS,
  ...ELECTION_RIGHTS,
  ...NODE_RIGHTS,
  ...SERVICE_RIGHTS,
  ...CALLER_RIGHTS,
];

/** What happens to nodes and Services that other rows' controllers might touch as well. */
const ALONE: readonly TakenRightRow[] = [
  ...SERVICE_RIGHTS_ALONE,
  ...NODE_RIGHTS_ALONE,
  ...POD_NETWORK_RIGHTS,
];

const EVERY_ROW = [...ROWS, ...ALONE, ...VOLUME_RIGHTS, ...IDENTITY_RIGHTS];

/** What becomes of each right of `deploy/rbac` that is not granted: the rows that may run at once. */
export const TAKEN_RIGHTS: readonly Scenario[] = [
  row(
    "P-00",
    "each right that each file of the shipped roles grants has a row that takes it away",
    async () => {
      const untried = shippedRights().filter(
        ({ part, identity, rule }) =>
          !EVERY_ROW.some(
            (row) => row.part === part && row.identity === identity && isAbout(rule, row),
          ),
      );
      same(untried, [], "rights without a row");
    },
  ),
  ...ROWS.map(withoutRight),
  FOLLOWED_CLIENT_CA,
];

/** One after the other: two controllers with the same node or Service would hide what one lacks. */
export const TAKEN_RIGHTS_ALONE: readonly Scenario[] = ALONE.map(withoutRight);

/** One after the other as well: the service accounts of controllers are the cluster's. */
export const TAKEN_RIGHTS_OVER_VOLUMES: readonly Scenario[] = [
  ...VOLUME_RIGHTS,
  ...IDENTITY_RIGHTS,
].map(withoutRight);
