import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Provider } from "@cloudwright/provider-api";
import type { FlagValues } from "../../flags/definitions/all.ts";

/** What providers offer that a controller may need, in words. */
const OFFERS = {
  instances: "instances",
  loadBalancers: "load balancers",
  routes: "routes",
  volumes: "volumes",
} as const satisfies Partial<Record<keyof Provider, string>>;

interface Needs {
  /** Absent: nothing of the provider. */
  readonly ofProvider?: keyof typeof OFFERS;
  /** The flag that has to be true, besides that the controller is selected (spec/00 §3). */
  readonly flag?: "allocate-node-cidrs" | "configure-cloud-routes";
  /** What it makes in the cloud carries the cluster's UID as its owner. */
  readonly ownsByCluster?: true;
}

const NEEDS: Readonly<Record<ControllerName, Needs>> = {
  "cloud-node-controller": { ofProvider: "instances" },
  "cloud-node-lifecycle-controller": { ofProvider: "instances" },
  "service-lb-controller": { ofProvider: "loadBalancers", ownsByCluster: true },
  "node-route-controller": {
    ofProvider: "routes",
    flag: "configure-cloud-routes",
    ownsByCluster: true,
  },
  "node-ipam-controller": { flag: "allocate-node-cidrs" },
  "volume-label-controller": { ofProvider: "volumes" },
};

/** The flag that keeps the controller from running, selected or not, as on a command line: `--NAME`. */
export function flagAgainst(flags: FlagValues, name: ControllerName): string | undefined {
  const flag = NEEDS[name]?.flag;
  return flag === undefined || flags[flag] ? undefined : `--${flag}`;
}

/** Whether what it makes in the cloud carries the cluster's UID: it cannot run while that is unknown. */
export function ownsByCluster(name: ControllerName): boolean {
  return NEEDS[name]?.ownsByCluster === true;
}

/** Whether it does anything with the provider. */
export function usesProvider(name: ControllerName): boolean {
  return NEEDS[name]?.ofProvider !== undefined;
}

/** What the controller needs and this provider does not offer, in words: `load balancers`. */
export function lackOf(
  provider: Pick<Provider, keyof typeof OFFERS>,
  name: ControllerName,
): string | undefined {
  const ofProvider = NEEDS[name]?.ofProvider;
  return ofProvider === undefined || provider[ofProvider] !== undefined
    ? undefined
    : OFFERS[ofProvider];
}
