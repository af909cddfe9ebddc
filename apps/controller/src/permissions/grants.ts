import { CONTROLLER_NAMES, controllerOf } from "@cloudwright/core/model/controller-names";

/** One resource and what is done with it: a rule of a role. */
export interface Grant {
  /** "" for core. */
  readonly group: string;
  /** Plural, with its subresource: `nodes/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The one namespace that it is needed in; absent: the whole cluster. */
  readonly namespace?: string;
  /** The objects that it is needed for; absent: all. */
  readonly names?: readonly string[];
  /** What does not work without it, as the end of a sentence that begins "Without it". */
  readonly without: string;
}

/** What an operator may grant or leave away; each is a file of `deploy/rbac`. */
export const PART_NAMES = [
  "process",
  "events",
  "leader-election",
  "control-record",
  "node",
  "node-lifecycle",
  "service-cache",
  "service",
  "route",
  "node-ipam",
  "volume-cache",
  "volume",
  "https-authentication",
  "https-authorization",
  "controller-identities",
] as const;
export type PartName = (typeof PART_NAMES)[number];

/** Names that flags may change. */
export interface Places {
  /** Of the Lease and of the control record: `--leader-elect-resource-namespace`. */
  readonly namespace: string;
  readonly leases: readonly string[];
}

/** What the shipped roles grant: upstream's Lease, that of a dry run and that of leader migration. */
export const DEFAULT_PLACES: Places = {
  namespace: "kube-system",
  leases: ["cloud-controller-manager", "cloudwright-shadow", "cloud-provider-extraction-migration"],
};

/**
 * Which verbs each part of the process uses (spec/00 §15 as far as we use it, DESIGN.md "Permissions"). The shipped roles
 * are written from this, and the self-check asks for it.
 */
export function grantsOf(part: PartName, places: Places): readonly Grant[] {
  switch (part) {
    case "leader-election":
      return leaderElection(places);
    case "control-record":
      return controlRecord(places);
    default:
      return FIXED[part];
  }
}

const SYSTEM = "kube-system";
const CORE = { group: "" } as const;

function leaderElection({ namespace, leases: names }: Places): readonly Grant[] {
  const lease = { group: "coordination.k8s.io", resource: "leases", namespace } as const;
  return [
    { ...lease, verbs: ["create"], without: "nobody leads where there is no Lease yet" },
    { ...lease, verbs: ["get", "update"], names, without: "nobody leads" },
    {
      ...lease,
      verbs: ["list", "watch"],
      names,
      without: "a released Lease is noticed later: it is read at every retry period",
    },
  ];
}

function controlRecord({ namespace }: Places): readonly Grant[] {
  const record = { ...CORE, resource: "configmaps", namespace } as const;
  const without = "controllers cannot be paused, nor the deletion guard released";
  return [
    { ...record, verbs: ["create"], without },
    { ...record, verbs: ["get", "update"], names: ["cloudwright-controls"], without },
  ];
}

const SERVICE_ACCOUNTS = [
  ...new Set(CONTROLLER_NAMES.map((name) => controllerOf(name).serviceAccount)),
];
const NO_IDENTITIES =
  "no controller has an identity of its own, and none starts: apply the kustomize component deploy/rbac/service-account-credentials";
const NO_VOLUMES = "volumes get no labels and do not grow";

const FIXED: Readonly<
  Record<Exclude<PartName, "leader-election" | "control-record">, readonly Grant[]>
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
      without: "no Kubernetes Event tells what happened",
    },
  ],
  node: [
    {
      ...CORE,
      resource: "nodes",
      verbs: ["update"],
      without: "each new node costs a call more",
    },
    { ...CORE, resource: "nodes", verbs: ["patch"], without: "nodes are not kept in step" },
    {
      ...CORE,
      resource: "nodes/status",
      verbs: ["patch"],
      without: "nodes get no addresses and stay uninitialised",
    },
  ],
  "node-lifecycle": [
    { ...CORE, resource: "nodes", verbs: ["patch"], without: "stopped nodes are not tainted" },
    {
      ...CORE,
      resource: "nodes",
      verbs: ["delete"],
      without: "nodes whose machine is gone stay",
    },
  ],
  "service-cache": [
    {
      ...CORE,
      resource: "services",
      verbs: ["list", "watch"],
      without: "no Service gets a load balancer",
    },
  ],
  service: [
    {
      ...CORE,
      resource: "services/status",
      verbs: ["patch"],
      without: "no Service gets a finalizer or an address",
    },
  ],
  route: [
    {
      ...CORE,
      resource: "nodes/status",
      verbs: ["patch"],
      without: "nodes keep the condition NetworkUnavailable that they have",
    },
  ],
  "node-ipam": [
    { ...CORE, resource: "nodes", verbs: ["patch"], without: "nodes get no pod ranges" },
    {
      ...CORE,
      resource: "nodes",
      verbs: ["get"],
      without: "a pod range whose write got no answer is reported as a failure",
    },
  ],
  "volume-cache": [
    {
      ...CORE,
      resource: "persistentvolumes",
      verbs: ["list", "watch"],
      without: NO_VOLUMES,
    },
    {
      ...CORE,
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
  volume: [
    { ...CORE, resource: "persistentvolumes", verbs: ["patch"], without: NO_VOLUMES },
    {
      ...CORE,
      resource: "persistentvolumeclaims/status",
      verbs: ["patch"],
      without: "claims do not show that their volume grew",
    },
  ],
  "https-authorization": [
    {
      group: "authorization.k8s.io",
      resource: "subjectaccessreviews",
      verbs: ["create"],
      without: "nobody but system:masters reads metrics",
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
      without: "callers with a client certificate are not known",
    },
  ],
  "controller-identities": [
    {
      ...CORE,
      resource: "serviceaccounts",
      verbs: ["create"],
      namespace: SYSTEM,
      without: NO_IDENTITIES,
    },
    {
      ...CORE,
      resource: "serviceaccounts",
      verbs: ["get"],
      namespace: SYSTEM,
      names: SERVICE_ACCOUNTS,
      without: NO_IDENTITIES,
    },
    {
      ...CORE,
      resource: "serviceaccounts/token",
      verbs: ["create"],
      namespace: SYSTEM,
      names: SERVICE_ACCOUNTS,
      without: NO_IDENTITIES,
    },
  ],
};
