import type { Group } from "../environment/scenario.ts";
import { VOLUME_ADMISSION } from "../volume/admission.ts";
import { RENEWED_CERTIFICATE } from "../volume/hosted-webhook.ts";
import {
  SLOW_ADMISSION,
  VOLUME_DRIFT_PERIOD_MS,
  VOLUME_LOOP,
  VOLUME_RESTARTS,
} from "../volume/loop.ts";

const VOLUMES = {
  "--controllers": "volume-label-controller",
  "--volume-drift-period": `${VOLUME_DRIFT_PERIOD_MS / 1_000}s`,
} as const;

/** Labels of volumes, by the controller and by its webhook. */
export const VOLUME_GROUPS: readonly Group[] = [
  {
    name: "new volumes",
    flags: { "--controllers": "-volume-label-controller" },
    webhook: true,
    scenarios: VOLUME_ADMISSION,
  },
  {
    name: "renewed certificate",
    flags: { "--controllers": "-volume-label-controller" },
    webhook: true,
    scenarios: [RENEWED_CERTIFICATE],
  },
  { name: "volumes", flags: VOLUMES, scenarios: VOLUME_LOOP },
  {
    name: "new volumes of a slow cloud",
    flags: VOLUMES,
    webhook: true,
    relayed: true,
    scenarios: SLOW_ADMISSION,
  },
  {
    name: "restarts with volumes",
    flags: {},
    ownControllers: true,
    scenarios: VOLUME_RESTARTS,
  },
];
