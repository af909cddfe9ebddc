import { t, worded } from "./text.ts";

/**
 * Returns a provider's name for a part of a load balancer, in the reader's language: the ledger keeps it in English. A
 * third-party provider's name stays as it is.
 */
export function partName(name: string): string {
  if (isPart(name)) return PARTS[name];
  return patterned(PART_PATTERNS, name);
}

/** Returns the desired or actual value of a part. */
export function partValue(value: string): string {
  if (isValue(value)) return VALUES[value];
  return patterned(VALUE_PATTERNS, value);
}

/** Returns a call that the controllers name themselves; a provider's own names for its calls stay. */
export function callName(operation: string): string {
  return isCall(operation) ? CALLS[operation] : operation;
}

const CALLS = worded({
  "look up instance": () => t`look up instance`,
  "look up load balancer": () => t`look up load balancer`,
  "look up volume": () => t`look up volume`,
  "list load balancers": () => t`list load balancers`,
  "list routes": () => t`list routes`,
  "grow volume": () => t`grow volume`,
  "grow disks": () => t`grow disks`,
  "the lookup of the instance": () => t`the lookup of the instance`,
});

const PARTS = worded({
  "load balancer": () => t`load balancer`,
  "source ranges": () => t`source ranges`,
  "health check": () => t`health check`,
  "health monitor": () => t`health monitor`,
  affinity: () => t`affinity`,
  families: () => t`families`,
  ports: () => t`ports`,
  reach: () => t`reach`,
  "reached by": () => t`reached by`,
  "proxy protocol": () => t`proxy protocol`,
  "requested address": () => t`requested address`,
  "firewall rule": () => t`firewall rule`,
  "floating IP": () => t`floating IP`,
  "security group": () => t`security group`,
  "security group rule": () => t`security group rule`,
  "security groups of a node's port": () => t`security groups of a node's port`,
  "all but members": () => t`all but members`,
  "tags of others": () => t`tags of others`,
});

const VALUES = worded({
  everybody: () => t`everybody`,
  none: () => t`none`,
  on: () => t`on`,
  off: () => t`off`,
  internal: () => t`internal`,
  external: () => t`external`,
  "floating IP": () => t`floating IP`,
  "its own address": () => t`its own address`,
  "as asked for": () => t`as asked for`,
  "as asked for earlier": () => t`as asked for earlier`,
  "not compared since the start": () => t`not compared since the start`,
  "This provider can only reconcile a load balancer as a whole: changes that others make inside it are not detected, and the plan does not list the individual calls.":
    () =>
      t`This provider can only reconcile a load balancer as a whole: changes that others make inside it are not detected, and the plan does not list the individual calls.`,
});

type Pattern = readonly [RegExp, (...values: readonly string[]) => string];

const PART_PATTERNS: readonly Pattern[] = [
  [/^listener (\S+)$/, (listener = "") => t`listener ${listener}`],
  [/^member (\S+)$/, (member = "") => t`member ${member}`],
  [/^members of (.+)$/, (pool = "") => t`members of ${pool}`],
];

const VALUE_PATTERNS: readonly Pattern[] = [
  [/^to node port (\d+)$/, (port = "") => t`to node port ${port}`],
  [
    /^to node port (\d+), named (.+)$/,
    (port = "", name = "") => t`to node port ${port}, named ${name}`,
  ],
  [/^client IP for (\d+) s$/, (seconds = "") => t`client IP for ${seconds} s`],
  [
    /^(\S+) of the first listener(\S*)$/,
    (protocol = "", path = "") => t`${protocol} of the first listener${path}`,
  ],
];

function patterned(patterns: readonly Pattern[], text: string): string {
  for (const [pattern, word] of patterns) {
    const [, ...values] = pattern.exec(text) ?? [];
    if (values.length > 0) return word(...values);
  }
  return text;
}

function isCall(operation: string): operation is keyof typeof CALLS {
  return Object.hasOwn(CALLS, operation);
}

function isPart(name: string): name is keyof typeof PARTS {
  return Object.hasOwn(PARTS, name);
}

function isValue(value: string): value is keyof typeof VALUES {
  return Object.hasOwn(VALUES, value);
}
