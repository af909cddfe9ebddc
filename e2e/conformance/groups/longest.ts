import type { Group } from "../environment/scenario.ts";
import { BLAMELESS_CLOUD } from "../ledger/blameless-cloud.ts";
import { TRUTHFUL_STATES } from "../ledger/truthful-states.ts";
import { NODE_IPAM } from "../node-ipam/allocation.ts";
import { WRONG_POD_RANGES } from "../node-ipam/bad-pod-ranges.ts";
import { NODE_IPAM_FLAGS } from "../node-ipam/flags.ts";
import { SERVICE_RESTARTS } from "../service/restarts.ts";
import { RETRY_ACTION } from "../service/retries.ts";
import { SCRIPTED_LOAD_BALANCERS } from "../service/scripted.ts";
import { TAKEOVER_BY_CONSENT, TAKEOVER_OF_MANY } from "../takeover/consent.ts";
import { TAKEOVER_FROM_UPSTREAM } from "../takeover/from-upstream.ts";
import { TAKEOVER_OF_ROUTES } from "../takeover/routes.ts";
import { TAKEOVER_RUNBOOKS } from "../takeover/runbooks.ts";
import { TAKEOVER_OF_SERVICES } from "../takeover/services.ts";

/** The longest groups: they come first, so that none runs alone at the end. */
export const LONGEST_GROUPS: readonly Group[] = [
  {
    name: "restarts with services",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [...SERVICE_RESTARTS, ...SCRIPTED_LOAD_BALANCERS, RETRY_ACTION],
  },
  {
    name: "takeover",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [
      ...TAKEOVER_OF_SERVICES,
      ...TAKEOVER_OF_ROUTES,
      ...TAKEOVER_BY_CONSENT,
      ...TAKEOVER_OF_MANY,
      ...TAKEOVER_FROM_UPSTREAM,
      ...TAKEOVER_RUNBOOKS,
    ],
  },
  {
    name: "truthful states",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [...TRUTHFUL_STATES, ...BLAMELESS_CLOUD],
  },
  {
    name: "pod ranges",
    flags: {},
    ownControllers: true,
    ledger: true,
    atOnce: 1,
    scenarios: [...NODE_IPAM, ...WRONG_POD_RANGES, ...NODE_IPAM_FLAGS],
  },
];
