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
  /** Those that this process runs while it leads. */
  readonly controllers: readonly ControllerName[];
  /** As whom each controller works; undefined where all of them work as the process. */
  readonly own: ((controller: ControllerName) => Client) | undefined;
  /** The Leases that it competes for. */
  readonly leases: readonly string[];
  readonly process: Client;
  /** Undefined where callers' tokens are not reviewed. */
  readonly authentication: Client | undefined;
  /** Undefined where nobody is asked what callers may read. */
  readonly authorization: Client | undefined;
}

/** As whom this process talks to API servers, and what each of them has to be granted. */
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

/** A dry run writes no control record, and looks at the one of whoever acts. */
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
