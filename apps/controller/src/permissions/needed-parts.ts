import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { PartName } from "./grants.ts";

/** What of a controller manager is in use. */
export interface Use {
  /** Those that this process runs while it leads. */
  readonly controllers: readonly ControllerName[];
  readonly elects: boolean;
  readonly dryRun: boolean;
  /** Whether each controller works as a service account of its own (spec/00 §14). */
  readonly ownIdentities: boolean;
}

interface ControllerParts {
  /** What the process itself lists and watches for the controller. */
  readonly cache?: PartName;
  /** What the controller writes. */
  readonly work: PartName;
}

const CONTROLLER_PARTS: Readonly<Record<ControllerName, ControllerParts>> = {
  "cloud-node-controller": { work: "node" },
  "cloud-node-lifecycle-controller": { work: "node-lifecycle" },
  "service-lb-controller": { cache: "service-cache", work: "service" },
  "node-route-controller": { work: "route" },
  "node-ipam-controller": { work: "node-ipam" },
  "volume-label-controller": { cache: "volume-cache", work: "volume" },
};

/** What the process's own identity needs. A dry run only reads, but for its Lease. */
export function processParts(use: Use): readonly PartName[] {
  const caches = use.controllers.flatMap((name) => CONTROLLER_PARTS[name]?.cache ?? []);
  return [
    "process",
    ...(use.elects ? (["leader-election"] as const) : []),
    ...caches,
    ...(use.dryRun ? [] : writingParts(use)),
  ];
}

/** What a controller needs of the identity that it works as. */
export function workParts(controller: ControllerName): readonly PartName[] {
  return ["events", ...workOf(controller)];
}

function writingParts({ controllers, ownIdentities }: Use): readonly PartName[] {
  const rest = ownIdentities ? (["controller-identities"] as const) : controllers.flatMap(workOf);
  return ["events", "control-record", ...rest];
}

function workOf(controller: ControllerName): readonly PartName[] {
  const work = CONTROLLER_PARTS[controller]?.work;
  return work === undefined ? [] : [work];
}
