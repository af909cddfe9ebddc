import {
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  type PersistentVolume,
  type PersistentVolumeClaim,
  STORAGE_CLASSES,
  type StorageClass,
} from "../../kube/client.ts";
import { type ControllerModule, offered, type Watch } from "../controller-module.ts";
import { nameOf } from "../objects/object-meta.ts";
import { createVolumeReconciler } from "./create-volume-reconciler.ts";
import { startVolumeController } from "./start-volume-controller.ts";

/** How many volumes may be written at the same time; upstream's loop had 5 workers (spec/50 §5). */
const CONCURRENCY = 32;
const NO_VOLUMES = "volumes get no labels and do not grow";

const VOLUMES: Watch<PersistentVolume> = { resource: PERSISTENT_VOLUMES };
const CLAIMS: Watch<PersistentVolumeClaim> = { resource: PERSISTENT_VOLUME_CLAIMS };
const CLASSES: Watch<StorageClass> = { resource: STORAGE_CLASSES };

/** Labels volumes and grows them (spec/50). */
export const volumeModule: ControllerModule<object> = {
  name: "volume-label-controller",
  needs: { ofProvider: "volumes" },
  watches: [VOLUMES, CLAIMS, CLASSES],
  permissions: {
    part: "volume",
    work: [
      { group: "", resource: "persistentvolumes", verbs: ["patch"], without: NO_VOLUMES },
      {
        group: "",
        resource: "persistentvolumeclaims/status",
        verbs: ["patch"],
        without: "claims do not show that their volume grew",
      },
    ],
    cache: {
      of: "volumes",
      grants: [
        {
          group: "",
          resource: "persistentvolumes",
          verbs: ["list", "watch"],
          without: NO_VOLUMES,
        },
        {
          group: "",
          resource: "persistentvolumeclaims",
          verbs: ["list", "watch"],
          without: "volumes do not grow",
        },
        {
          group: "storage.k8s.io",
          resource: "storageclasses",
          verbs: ["list", "watch"],
          without: "volumes do not grow",
        },
      ],
    },
    ownIdentity: true,
  },
  metrics: [],
  followUps: { "volume.grow": "sizes of grown volumes" },
  start: ({ provider, cloud, controls, informerOf }, run) => {
    const informer = informerOf(VOLUMES);
    const period = controls.settings.of("volume-drift-period");
    const shared = {
      period,
      informer,
      claims: informerOf(CLAIMS),
      classes: informerOf(CLASSES),
      volumes: offered(provider.volumes, "volumes"),
      disks: offered(cloud.volumes, "volumes"),
    };
    return run({
      concurrency: CONCURRENCY,
      build: ({ client, clock, provider, queue }) => ({
        reconciler: createVolumeReconciler({ ...shared, client, provider }),
        feed: () => startVolumeController({ ...shared, queue, clock }),
        present: () => informer.list().map(nameOf),
      }),
    });
  },
};
