import type { LoadBalancerNotice } from "@cloudwright/provider-api";
import { LB_METHODS } from "../config/cloud-conf.ts";

export const ANNOTATION_PREFIX = "loadbalancer.openstack.org/";
export const INTERNAL_ANNOTATION = "service.beta.kubernetes.io/openstack-internal-load-balancer";
export const ID_ANNOTATION = `${ANNOTATION_PREFIX}load-balancer-id`;
export const CLASS_ANNOTATION = `${ANNOTATION_PREFIX}class`;
export const ADDRESS_ANNOTATION = `${ANNOTATION_PREFIX}load-balancer-address`;

type Kind = "boolean" | "integer" | "retries" | "text" | "proxy" | "method";

/** When a change to it takes effect: Octavia fixes some fields when a load balancer is created. */
export type Effect = "always" | "creation" | "beforeFloatingIp";

interface Definition {
  readonly kind: Kind;
  readonly effect: Effect;
}

const always = <K extends Kind>(kind: K) => ({ kind, effect: "always" }) as const;
const creation = <K extends Kind>(kind: K) => ({ kind, effect: "creation" }) as const;
const beforeFloatingIp = <K extends Kind>(kind: K) =>
  ({ kind, effect: "beforeFloatingIp" }) as const;

/** Every annotation of a Service that is read (spec §6.1), by its name without the prefix. */
export const ANNOTATIONS = {
  "floating-network-id": beforeFloatingIp("text"),
  "floating-subnet-id": beforeFloatingIp("text"),
  "floating-subnet": beforeFloatingIp("text"),
  "floating-subnet-tags": beforeFloatingIp("text"),
  class: creation("text"),
  "subnet-id": creation("text"),
  "member-subnet-id": always("text"),
  "network-id": creation("text"),
  "port-id": creation("text"),
  "connection-limit": always("integer"),
  "keep-floatingip": always("boolean"),
  "proxy-protocol": always("proxy"),
  "x-forwarded-for": always("boolean"),
  "lb-method": always("method"),
  "timeout-client-data": always("integer"),
  "timeout-member-connect": always("integer"),
  "timeout-member-data": always("integer"),
  "timeout-tcp-inspect": always("integer"),
  "enable-health-monitor": always("boolean"),
  "health-monitor-delay": always("integer"),
  "health-monitor-timeout": always("integer"),
  "health-monitor-max-retries": always("retries"),
  "health-monitor-max-retries-down": always("retries"),
  "flavor-id": creation("text"),
  "availability-zone": creation("text"),
  "default-tls-container-ref": always("text"),
  "node-selector": always("text"),
  hostname: always("text"),
  "load-balancer-id": always("text"),
  "load-balancer-address": always("text"),
} as const satisfies Record<string, Definition>;
export type AnnotationName = keyof typeof ANNOTATIONS;

export type ProxyProtocol = "none" | "v1" | "v2";

/** The annotations of one Service; reading an invalid one returns the default and records a notice. */
export interface Annotations {
  /** `""` overrides the config with no value; undefined: not given. */
  text(name: NamesOf<"text">): string | undefined;
  flag(name: NamesOf<"boolean">, otherwise: boolean): boolean;
  /** Returns a whole number, in the annotation's unit. */
  number(name: NamesOf<"integer" | "retries">, otherwise: number): number;
  proxyProtocol(): ProxyProtocol;
  method(otherwise: string): string;
  isInternal(): boolean;
  /** The notices of all annotations read so far. */
  readonly notices: readonly LoadBalancerNotice[];
}

type NamesOf<Wanted extends Kind> = {
  [Name in AnnotationName]: (typeof ANNOTATIONS)[Name]["kind"] extends Wanted ? Name : never;
}[AnnotationName];

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

const PROXY: ReadonlyMap<string, ProxyProtocol> = new Map([
  ["true", "v1"],
  ["v1", "v1"],
  ["v2", "v2"],
  ["false", "none"],
]);

/** Reads annotations as upstream does: an invalid value falls back to the default, but not silently (spec §6.1). */
export function readAnnotations(given: Readonly<Record<string, string>>): Annotations {
  const notices: LoadBalancerNotice[] = [];
  const read = <Value>(key: string, parse: Parse<Value>, otherwise: Value): Value => {
    const value = given[key];
    if (value === undefined) return otherwise;
    const parsed = parse.of(value);
    if (parsed !== undefined) return parsed;
    notices.push(unusable(key, value, { allowed: parse.allowed, otherwise: String(otherwise) }));
    return otherwise;
  };
  const full = (name: AnnotationName) => `${ANNOTATION_PREFIX}${name}`;
  const flag: Parse<boolean> = { of: (value) => BOOLEANS.get(value), allowed: "true or false" };
  return {
    text: (name) => given[full(name)],
    flag: (name, otherwise) => read(full(name), flag, otherwise),
    number: (name, otherwise) => read(full(name), NUMBERS[ANNOTATIONS[name].kind], otherwise),
    proxyProtocol: () =>
      read(
        full("proxy-protocol"),
        { of: (value) => PROXY.get(value), allowed: "true, v1, v2 or false" },
        "none",
      ),
    method: (otherwise) => {
      const key = full("lb-method");
      return given[key] === undefined ? otherwise : (methodIn(given[key], notices) ?? otherwise);
    },
    isInternal: () => read(INTERNAL_ANNOTATION, flag, false),
    notices,
  };
}

/** The values with which a load balancer or its floating IP was created, by the annotation for each; left out if unknown. */
export type MadeWith = Readonly<Partial<Record<AnnotationName, string | undefined>>>;

/**
 * Returns notices about requested values that were fixed when the load balancer or floating IP was created: it stays as it was,
 * and its user has to know (pains 11). `ofClass`: the values of the Service's class, which replace annotations.
 */
export function fixedNotices(
  given: Readonly<Record<string, string>>,
  ofClass: MadeWith,
  madeWith: MadeWith,
): readonly LoadBalancerNotice[] {
  return entriesOf(madeWith).flatMap(([name, there]): LoadBalancerNotice[] => {
    const { by, asked } = askedFor(name, given, ofClass);
    if (asked === "" || there === "" || there === asked) return [];
    const message = `${by} asks for ${shown(asked)}, but the ${MADE[ANNOTATIONS[name].effect]} was created with ${there}, which cannot be changed: it stays so until the Service is created again.`;
    return [{ type: "Warning", reason: "LoadBalancerNeedsReplacement", message }];
  });
}

const MADE: Readonly<Record<Effect, string>> = {
  always: "load balancer",
  creation: "load balancer",
  beforeFloatingIp: "floating IP",
};

function entriesOf(madeWith: MadeWith): readonly (readonly [AnnotationName, string])[] {
  return Object.keys(ANNOTATIONS).flatMap((name) => {
    const there = madeWith[name as AnnotationName];
    return there === undefined ? [] : [[name as AnnotationName, there] as const];
  });
}

/** For floating IPs, a class overrides annotations; for everything else, annotations override the class (spec §6.4). */
function askedFor(
  name: AnnotationName,
  given: Readonly<Record<string, string>>,
  ofClass: MadeWith,
): { readonly by: string; readonly asked: string } {
  const key = `${ANNOTATION_PREFIX}${name}`;
  const own = given[key] === undefined ? undefined : { by: key, asked: given[key] };
  const className = shown(given[CLASS_ANNOTATION] ?? "");
  const said = ofClass[name];
  const classes =
    said === undefined
      ? undefined
      : { by: `The class ${className} of ${CLASS_ANNOTATION}`, asked: said };
  const isClassFirst = ANNOTATIONS[name].effect === "beforeFloatingIp";
  return (isClassFirst ? (classes ?? own) : (own ?? classes)) ?? { by: key, asked: "" };
}

interface Parse<Value> {
  of(value: string): Value | undefined;
  readonly allowed: string;
}

const NUMBERS: Readonly<Record<"integer" | "retries", Parse<number>>> = {
  integer: { of: (value) => wholeIn(value, -1, 2_147_483_647), allowed: "a whole number" },
  retries: { of: (value) => wholeIn(value, 1, 10), allowed: "a whole number from 1 to 10" },
};

function wholeIn(value: string, least: number, most: number): number | undefined {
  if (!/^-?\d+$/.test(value)) return undefined;
  const number = Number(value);
  return number >= least && number <= most ? number : undefined;
}

function methodIn(value: string, notices: LoadBalancerNotice[]): string | undefined {
  const method = LB_METHODS.find((one) => one === value.toUpperCase());
  if (method !== undefined) return method;
  notices.push({
    type: "Warning",
    reason: "LoadBalancerLbMethodUnknown",
    message: `${ANNOTATION_PREFIX}lb-method has the value "${shown(value)}", which no pool has: use one of ${LB_METHODS.join(", ")}.`,
  });
  return undefined;
}

function unusable(
  key: string,
  value: string,
  { allowed, otherwise }: { readonly allowed: string; readonly otherwise: string },
): LoadBalancerNotice {
  return {
    type: "Warning",
    reason: "LoadBalancerAnnotationIgnored",
    message: `${key} has the value "${shown(value)}", which is not ${allowed}: ${otherwise} is used instead.`,
  };
}

function shown(value: string): string {
  return value.slice(0, 64);
}
