import type { Grant } from "@cloudwright/core/controllers/controller-module";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { MODULE_NAMES, MODULES, type Module, moduleOf } from "../modules.ts";

/** The parts that the process itself needs, whichever controllers run. */
const PROCESS_PARTS = [
  "process",
  "events",
  "watched-events",
  "leader-election",
  "control-record",
] as const;
const OTHER_PARTS = [
  "https-authentication",
  "https-authorization",
  "controller-identities",
] as const;
type OwnPart = (typeof PROCESS_PARTS | typeof OTHER_PARTS)[number];

/** A part that an operator may grant or omit; each is a file in `deploy/rbac`. Parts of controllers are named in their modules. */
export type PartName = string;

/** Returns the parts of a controller: what the process watches for it, then what it writes. */
export function partsOf({
  permissions: { part, cache },
}: Pick<Module, "permissions">): readonly PartName[] {
  return [...(cache === undefined ? [] : [cachePartOf(part)]), part];
}

export function cachePartOf(part: PartName): PartName {
  return `${part}-cache`;
}

export const PART_NAMES: readonly PartName[] = [
  ...PROCESS_PARTS,
  ...MODULES.flatMap(partsOf),
  ...OTHER_PARTS,
];

/** Names that depend on flags. */
export interface RoleNames {
  /** The namespace of the Lease and the control record: `--leader-elect-resource-namespace`. */
  readonly namespace: string;
  readonly leases: readonly string[];
  /** Service accounts of the controllers that run; all of them if absent. */
  readonly accounts?: readonly string[];
}

/** The names in the shipped roles: upstream's Lease, and those of dry runs and of leader migration. */
export const DEFAULT_NAMES: RoleNames = {
  namespace: "kube-system",
  leases: ["cloud-controller-manager", "cloudwright-shadow", "cloud-provider-extraction-migration"],
};

/**
 * Returns the verbs that a part of the process uses (spec/00 §15 as far as we use it, DESIGN.md "Permissions"). The shipped roles
 * are generated from this, and the self-check checks it.
 */
export function grantsOf(part: PartName, names: RoleNames): readonly Grant[] {
  switch (part) {
    case "leader-election":
      return leaderElection(names);
    case "control-record":
      return controlRecord(names);
    case "controller-identities":
      return controllerIdentities(names);
    default:
      return isOwn(part) ? FIXED[part] : grantsOfModule(part);
  }
}

function isOwn(part: PartName): part is keyof typeof FIXED {
  return Object.hasOwn(FIXED, part);
}

function grantsOfModule(part: PartName): readonly Grant[] {
  for (const { permissions } of MODULES) {
    if (permissions.part === part) return permissions.work;
    if (cachePartOf(permissions.part) === part) return permissions.cache?.grants ?? [];
  }
  return [];
}

const SYSTEM = "kube-system";
const CORE = { group: "" } as const;

function leaderElection({ namespace, leases: names }: RoleNames): readonly Grant[] {
  const lease = { group: "coordination.k8s.io", resource: "leases", namespace } as const;
  return [
    { ...lease, verbs: ["create"], without: "no process can lead if the Lease does not exist yet" },
    { ...lease, verbs: ["get", "update"], names, without: "no process can lead" },
    {
      ...lease,
      verbs: ["list", "watch"],
      names,
      without: "a released Lease is noticed later: it is read at every retry period",
    },
  ];
}

function controlRecord({ namespace }: RoleNames): readonly Grant[] {
  const record = { ...CORE, resource: "configmaps", namespace } as const;
  const without =
    "controllers cannot be paused, the deletion guard not released, and settings not changed";
  return [
    { ...record, verbs: ["create"], without },
    { ...record, verbs: ["get", "update"], names: ["cloudwright-controls"], without },
  ];
}

const SERVICE_ACCOUNTS = [
  ...new Set(MODULE_NAMES.map((name) => controllerOf(name).serviceAccount)),
];
const NO_IDENTITIES =
  "no controller has an identity of its own, and none starts: apply the kustomize component deploy/rbac/service-account-credentials";

function controllerIdentities({ accounts = SERVICE_ACCOUNTS }: RoleNames): readonly Grant[] {
  const account = { ...CORE, namespace: SYSTEM, without: NO_IDENTITIES } as const;
  return [
    { ...account, resource: "serviceaccounts", verbs: ["create"] },
    { ...account, resource: "serviceaccounts", verbs: ["get"], names: accounts },
    { ...account, resource: "serviceaccounts/token", verbs: ["create"], names: accounts },
  ];
}

const FIXED: Readonly<
  Record<
    Exclude<OwnPart, "leader-election" | "control-record" | "controller-identities">,
    readonly Grant[]
  >
> = {
  process: [
    {
      ...CORE,
      resource: "namespaces",
      verbs: ["get"],
      names: [SYSTEM],
      without:
        "the cluster's identity is unknown: there are no load balancers, no routes and no ledger",
    },
    { ...CORE, resource: "nodes", verbs: ["list", "watch"], without: "nothing is done" },
  ],
  events: [
    {
      ...CORE,
      resource: "events",
      verbs: ["create", "patch"],
      without: "no Kubernetes Events are reported",
    },
  ],
  "watched-events": [
    {
      ...CORE,
      resource: "events",
      verbs: ["list", "watch"],
      without: "the Events of other components are not recorded (--watch-events)",
    },
  ],
  "https-authorization": [
    {
      group: "authorization.k8s.io",
      resource: "subjectaccessreviews",
      verbs: ["create"],
      without: "only system:masters can read metrics",
    },
  ],
  "https-authentication": [
    {
      group: "authentication.k8s.io",
      resource: "tokenreviews",
      verbs: ["create"],
      without: "callers with a token are refused",
    },
    {
      ...CORE,
      resource: "configmaps",
      verbs: ["get", "list", "watch"],
      namespace: SYSTEM,
      names: ["extension-apiserver-authentication"],
      without: "callers with a client certificate cannot be authenticated",
    },
  ],
};

/** The features of a controller manager that are in use. */
export interface Use {
  /** The controllers that this process runs while it leads. */
  readonly controllers: readonly ControllerName[];
  readonly elects: boolean;
  readonly dryRun: boolean;
  /** Whether Events of other components are recorded (`--watch-events`, with a ledger). */
  readonly watchesEvents: boolean;
  /** Whether each controller uses its own service account (spec/00 §14). */
  readonly ownIdentities: boolean;
}

/** Returns the parts that the process's own identity needs. A dry run writes only its Lease. */
export function processParts(use: Use): readonly PartName[] {
  const caches = use.controllers
    .map((name) => moduleOf(name).permissions)
    .flatMap(({ part, cache }) => (cache === undefined ? [] : [cachePartOf(part)]));
  return [
    "process",
    ...(use.elects ? (["leader-election"] as const) : []),
    ...caches,
    ...(use.watchesEvents ? (["watched-events"] as const) : []),
    ...(use.dryRun ? [] : writingParts(use)),
  ];
}

/** Returns the parts that the identity of a controller needs. */
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
