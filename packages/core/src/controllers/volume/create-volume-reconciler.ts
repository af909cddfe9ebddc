import type { VolumeDirectory } from "../../cloud/ports.ts";
import type { KubeClient, PersistentVolume } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { createObjectView, type ObjectView } from "../objects/written-objects.ts";
import { applyToClaim, applyToVolume } from "./apply.ts";
import type { VolumeAnswer, VolumeChange } from "./changes.ts";
import { concludeVolume } from "./conclude.ts";
import { type ObservePorts, observeVolume, partsOf, versionsOf } from "./observe.ts";
import type { VolumeContext, VolumeObserved } from "./observed.ts";
import { planVolume } from "./plan.ts";
import { NO_MEMORY, type VolumeMemory } from "./volume-memory.ts";
import { refOf } from "./volume-object.ts";

export interface VolumeReconcilerOptions extends Omit<ObservePorts, "view"> {
  readonly client: Pick<KubeClient, "patch">;
  /** The informer of PersistentVolumes. */
  readonly informer: Pick<Informer<PersistentVolume>, "get">;
}

export type VolumeReconciler = Reconciler<VolumeObserved, VolumeChange, VolumeMemory, VolumeAnswer>;

/**
 * Creates the reconciler that labels volumes with the location of their disks, and grows those whose claims ask
 * for more (spec/50).
 */
export function createVolumeReconciler(options: VolumeReconcilerOptions): VolumeReconciler {
  const view = createObjectView<PersistentVolume>({
    informer: options.informer,
    keyOf: nameOf,
    refOf,
    unknown: (name) => ({ kind: "PersistentVolume", name }),
  });
  const ports = { ...options, view };
  return {
    noMemory: NO_MEMORY,
    object: view.object,
    // Compares the volume and its claim with their versions when nothing was left to do: the change
    // may be our own echo.
    isSettled: (key, { trigger, memory }) => {
      const volume = view.get(key);
      if (trigger.kind !== "change" || volume === undefined) return false;
      return memory.settledAt === versionsOf(partsOf(ports, volume, memory.writtenClaim));
    },
    observe: (key, run) => observeVolume(ports, key, run),
    plan: (observed, _memory, nowMs) => planVolume(observed, nowMs),
    apply: (change, observed, run) => applyChange(ports, { change, observed }, run),
    conclude: concludeVolume,
  };
}

interface ApplyPorts {
  readonly disks: VolumeDirectory;
  readonly client: Pick<KubeClient, "patch">;
  readonly view: ObjectView<PersistentVolume>;
}

async function applyChange(
  { client, view, disks }: ApplyPorts,
  { change, observed }: { readonly change: VolumeChange; readonly observed: VolumeObserved },
  run: VolumeContext,
): Promise<VolumeAnswer> {
  if (change.kind === "volume.grow") {
    const { disk, sizeGiB } = change.after;
    return { kind: "disk", facts: await run.cloud(disks).grow(disk, sizeGiB, run.priority) };
  }
  if (change.kind === "claim.status.write") {
    const { claim } = observed;
    if (claim === undefined) return { kind: "claim", claim };
    return { kind: "claim", claim: await applyToClaim(client, { change, claim }, run) };
  }
  const volume = await applyToVolume(
    client,
    { change, volume: newest(view, observed.volume) },
    run,
  );
  view.wrote(volume);
  return { kind: "volume", volume };
}

function newest(view: ObjectView<PersistentVolume>, volume: PersistentVolume): PersistentVolume {
  const known = view.get(nameOf(volume));
  return known !== undefined && uidOf(known) === uidOf(volume) ? known : volume;
}
