import { nameOf } from "@cloudwright/core/controllers/objects/object-meta";
import { createVolumeReconciler } from "@cloudwright/core/controllers/volume/create-volume-reconciler";
import { startVolumeController } from "@cloudwright/core/controllers/volume/start-volume-controller";
import {
  type ControllerParts,
  type StartedController,
  startController,
} from "./started-controller.ts";

/** How many volumes may be written at the same time; upstream's loop had 5 workers (spec/50 §5). */
const CONCURRENCY = 32;

/** Starts the controller that labels volumes and grows them (spec/50). */
export function startVolume(parts: ControllerParts): StartedController {
  const { foundation, cloud, storage } = parts;
  const { volumes } = cloud.provider;
  if (volumes === undefined || storage === undefined) {
    throw new Error("The provider has no volumes, but their controller was started.");
  }
  const shared = {
    informer: storage.volumes,
    claims: storage.claims,
    classes: storage.classes,
    volumes,
    driftPeriodMs: foundation.flags["volume-drift-period"],
  };
  return startController(parts, {
    name: "volume-label-controller",
    concurrency: CONCURRENCY,
    build: ({ client, clock, provider, queue }) => {
      const reconciler = createVolumeReconciler({ ...shared, client, provider });
      const feed = () => startVolumeController({ ...shared, queue, clock });
      return {
        reconciler,
        feed,
        present: () => storage.volumes.list().map(nameOf),
      };
    },
  });
}
