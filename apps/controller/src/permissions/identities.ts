import type { KubeClient } from "@cloudwright/core/kube/client";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { watchesEvents } from "../flags/database-url.ts";
import type { FlagValues } from "../flags/definitions/all.ts";
import {
  DEFAULT_NAMES,
  grantsOf,
  type PartName,
  processParts,
  type RoleNames,
  workParts,
} from "./grants.ts";
import type { Identity } from "./permission-check.ts";
import { type Right, rightsOf } from "./review-rights.ts";

type Client = Pick<KubeClient, "create">;

export interface IdentityOptions {
  readonly flags: FlagValues;
  /** The controllers that this process runs while it leads. */
  readonly controllers: readonly ControllerName[];
  /** The client of each controller; undefined if all of them use the identity of the process. */
  readonly own: ((controller: ControllerName) => Client) | undefined;
  /** The Leases that it may acquire. */
  readonly leases: readonly string[];
  readonly process: Client;
  /** Undefined if callers' tokens are not reviewed. */
  readonly authentication: Client | undefined;
  /** Undefined if callers' access is not reviewed. */
  readonly authorization: Client | undefined;
}

/** Returns the identities that this process uses with API servers, and the rights that each of them needs. */
export function identitiesOf(options: IdentityOptions): readonly Identity[] {
  const { flags, controllers, own, process, authentication, authorization } = options;
  return [
    { who: "the controller", client: process, rights: processRights(options) },
    ...(own === undefined ? [] : controllers.map((name) => controllerIdentity(name, own))),
    ...(authentication === undefined
      ? []
      : [
          {
            who: "authentication of callers",
            client: authentication,
            rights: authenticationRights(flags),
          },
        ]),
    ...(authorization === undefined
      ? []
      : [
          {
            who: "authorization of callers",
            client: authorization,
            rights: rightsOfParts(["https-authorization"], DEFAULT_NAMES),
          },
        ]),
  ];
}

function controllerIdentity(
  controller: ControllerName,
  own: (controller: ControllerName) => Client,
): Identity {
  return {
    who: `kube-system/${controllerOf(controller).serviceAccount}`,
    client: own(controller),
    rights: rightsOfParts(workParts(controller), DEFAULT_NAMES),
  };
}

function processRights(options: IdentityOptions): readonly Right[] {
  const { flags, controllers, own, leases } = options;
  const parts = processParts({
    controllers,
    elects: flags["leader-elect"],
    dryRun: flags["dry-run"],
    watchesEvents: watchesEvents(flags),
    ownIdentities: own !== undefined,
  });
  const namespace = flags["leader-elect-resource-namespace"];
  const accounts = [...new Set(controllers.map((name) => controllerOf(name).serviceAccount))];
  const rights = rightsOfParts(parts, { namespace, leases, accounts });
  return flags["dry-run"] ? [...rights, ...recordRead({ namespace, leases })] : rights;
}

/** A dry run does not write the control record, but reads that of the active manager. */
function recordRead(names: RoleNames): readonly Right[] {
  return rightsOfParts(["control-record"], names).filter(({ verb }) => verb === "get");
}

function authenticationRights(flags: FlagValues): readonly Right[] {
  const rights = rightsOfParts(["https-authentication"], DEFAULT_NAMES);
  return flags["authentication-skip-lookup"]
    ? rights.filter(({ resource }) => resource !== "configmaps")
    : rights;
}

function rightsOfParts(parts: readonly PartName[], names: RoleNames): readonly Right[] {
  return rightsOf(parts.flatMap((part) => grantsOf(part, names)));
}
