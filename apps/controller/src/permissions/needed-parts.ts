import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { moduleOf } from "../modules.ts";
import { cachePartOf, type PartName } from "./grants.ts";

/** What of a controller manager is in use. */
export interface Use {
  /** Those that this process runs while it leads. */
  readonly controllers: readonly ControllerName[];
  readonly elects: boolean;
  readonly dryRun: boolean;
  /** Whether each controller works as a service account of its own (spec/00 §14). */
  readonly ownIdentities: boolean;
}

/** What the process's own identity needs. A dry run only reads, but for its Lease. */
export function processParts(use: Use): readonly PartName[] {
  const caches = use.controllers
    .map((name) => moduleOf(name).permissions)
    .flatMap(({ part, cache }) => (cache === undefined ? [] : [cachePartOf(part)]));
  return [
    "process",
    ...(use.elects ? (["leader-election"] as const) : []),
    ...caches,
    ...(use.dryRun ? [] : writingParts(use)),
  ];
}

/** What a controller needs of the identity that it works as. */
export function workParts(controller: ControllerName): readonly PartName[] {
  return ["events", workOf(controller)];
}

function writingParts({ controllers, ownIdentities }: Use): readonly PartName[] {
  const rest = ownIdentities ? (["controller-identities"] as const) : controllers.map(workOf);
  return ["events", "control-record", ...rest];
}

function workOf(controller: ControllerName): PartName {
  return moduleOf(controller).permissions.part;
}
