import { parseCidr } from "./cidr.ts";
import { type IniSection, parseIni } from "./ini.ts";
import { invalidConfig } from "./invalid-config.ts";
import {
  boolean,
  commaList,
  duration,
  httpUrl,
  integer,
  list,
  type Options,
  oneOf,
  readSection,
  text,
  textOr,
  unknownOptions,
  type Values,
} from "./options.ts";
import { readSubnetPattern } from "./subnet-pattern.ts";

const GLOBAL = {
  "auth-url": httpUrl,
  "os-endpoint-type": oneOf(["public", "internal", "admin"], undefined),
  region: text,
  ...{ username: text, "user-id": text, password: text },
  ...{ "domain-id": text, "domain-name": text },
  ...{ "user-domain-id": text, "user-domain-name": text },
  ...{ "tenant-id": text, "tenant-name": text },
  ...{ "tenant-domain-id": text, "tenant-domain-name": text },
  "application-credential-id": text,
  "application-credential-name": text,
  "application-credential-secret": text,
  token: text,
  ...{ "trust-id": text, "trustee-id": text, "trustee-password": text },
  ...{ "ca-file": text, "cert-file": text, "key-file": text },
  "tls-insecure": boolean(false),
  ...{ "use-clouds": boolean(false), "clouds-file": text, cloud: text },
} satisfies Options;

const NETWORKING = {
  "ipv6-support-disabled": boolean(false),
  "public-network-name": list,
  "internal-network-name": list,
  "address-sort-order": commaList,
} satisfies Options;

/** The options that a class of load balancers may override. */
const LOAD_BALANCER_CLASS = {
  "floating-network-id": text,
  "floating-subnet-id": text,
  "floating-subnet": text,
  "floating-subnet-tags": text,
  "network-id": text,
  "subnet-id": text,
  "member-subnet-id": text,
} satisfies Options;

export const LB_METHODS = [
  "ROUND_ROBIN",
  "LEAST_CONNECTIONS",
  "SOURCE_IP",
  "SOURCE_IP_PORT",
] as const;

const LOAD_BALANCER = {
  ...LOAD_BALANCER_CLASS,
  enabled: boolean(true),
  "lb-version": oneOf(["v2"], undefined),
  "lb-provider": textOr("amphora"),
  "lb-method": oneOf(LB_METHODS, undefined),
  "internal-lb": boolean(false),
  "create-monitor": boolean(false),
  "monitor-delay": duration(5_000),
  "monitor-timeout": duration(3_000),
  "monitor-max-retries": integer(1, [1, 10]),
  "monitor-max-retries-down": integer(3, [1, 10]),
  "manage-security-groups": boolean(false),
  "node-selector": text,
  "cascade-delete": boolean(true),
  "flavor-id": text,
  "availability-zone": text,
  "enable-ingress-hostname": boolean(false),
  "ingress-hostname-suffix": textOr("nip.io"),
  "default-tls-container-ref": text,
  "container-store": oneOf(["barbican", "external"], "barbican"),
  "max-shared-lb": integer(2, [1, 1_000]),
  "provider-requires-serial-api-calls": boolean(false),
  /** Our own option: what to do about a load balancer in ERROR that was in use; its floating IP is kept. */
  "on-error": oneOf(["report", "failover", "recreate"], "report"),
} satisfies Options;

const ROUTE = { "router-id": text } satisfies Options;

const METADATA = {
  "search-order": commaList,
  "request-timeout": duration(60_000),
} satisfies Options;

/** `[Global]` as written in the file. */
export type GlobalOptions = Values<typeof GLOBAL>;

/** cloud.conf, with every option as a typed value; durations are milliseconds. Source: spec/providers/openstack §1. */
export interface CloudConf {
  readonly global: GlobalOptions;
  readonly networking: Values<typeof NETWORKING>;
  readonly loadBalancer: Values<typeof LOAD_BALANCER>;
  /** `[LoadBalancerClass "name"]` by name. */
  readonly loadBalancerClasses: ReadonlyMap<string, LoadBalancerClassOptions>;
  readonly route: Values<typeof ROUTE>;
  readonly metadata: Values<typeof METADATA>;
}
export type LoadBalancerClassOptions = Values<typeof LOAD_BALANCER_CLASS>;

/**
 * Parses cloud.conf; unknown options are reported to `warn`. Throws ProviderError `Invalid`, in one sentence, for a syntax error,
 * a value of the wrong type and contradictory options.
 */
export function readCloudConf(
  source: string,
  file: string,
  warn: (message: string) => void,
): CloudConf {
  const sections = parseIni(source, file);
  warnOfUnknownSections(sections, file, warn);
  const read = <O extends Options>(name: string, options: O, subsection?: string): Values<O> => {
    const title = subsection === undefined ? `[${name}]` : `[${name} "${subsection}"]`;
    const entries = sections
      .filter((section) => isNamed(section, name) && section.subsection === subsection)
      .flatMap((section) => section.entries);
    for (const option of unknownOptions(options, { title, file, entries }))
      warn(`${file}: ${title} has no option ${option}; it is ignored, correct or remove it.`);
    return readSection(options, { title, file, entries });
  };
  const classes = sections.filter((section) => isNamed(section, CLASS));
  const names = new Set(classes.flatMap(({ subsection }) => subsection ?? []));
  const conf = {
    global: read("Global", GLOBAL),
    networking: read("Networking", NETWORKING),
    loadBalancer: read("LoadBalancer", LOAD_BALANCER),
    loadBalancerClasses: new Map(
      [...names].map((name) => [name, read(CLASS, LOAD_BALANCER_CLASS, name)]),
    ),
    route: read("Route", ROUTE),
    metadata: read("Metadata", METADATA),
  };
  checkContradictions(conf, file);
  warnOfDoubts(conf, file, warn);
  return conf;
}

const CLASS = "LoadBalancerClass";
const SECTIONS = ["global", "networking", "loadbalancer", "route", "metadata", "blockstorage"];

function isNamed(section: IniSection, name: string): boolean {
  return section.name.toLowerCase() === name.toLowerCase();
}

function warnOfUnknownSections(
  sections: readonly IniSection[],
  file: string,
  warn: (message: string) => void,
): void {
  for (const { name, subsection } of sections) {
    const known = subsection === undefined ? SECTIONS : [CLASS.toLowerCase()];
    if (known.includes(name.toLowerCase())) continue;
    const title = subsection === undefined ? `[${name}]` : `[${name} "${subsection}"]`;
    warn(`${file}: there is no section ${title}; it is ignored, correct or remove it.`);
  }
}

const SEARCHED = ["configDrive", "metadataService"];

function checkContradictions(conf: CloudConf, file: string): void {
  const { loadBalancer, loadBalancerClasses, global, metadata } = conf;
  const refuse = (field: string, problem: string) => {
    throw invalidConfig(`${file} contradicts itself: ${problem}.`, field);
  };
  const { lbProvider, lbMethod } = loadBalancer;
  if (lbProvider === "ovn" && lbMethod !== undefined && lbMethod !== "SOURCE_IP_PORT")
    refuse("lb-method", `lb-provider ovn supports only lb-method SOURCE_IP_PORT, not ${lbMethod}`);
  const patterns = [loadBalancer, ...loadBalancerClasses.values()].map((one) => one.floatingSubnet);
  if (patterns.some((one) => one !== undefined && readSubnetPattern(one) === undefined))
    refuse("floating-subnet", "floating-subnet begins with ~ but is not a regular expression");
  const { certFile, keyFile } = global;
  if ((certFile === undefined) !== (keyFile === undefined))
    refuse("cert-file", "cert-file and key-file need each other; set both or neither");
  const { searchOrder } = metadata;
  if (searchOrder.length > 2 || searchOrder.some((word) => !SEARCHED.includes(word)))
    refuse("search-order", `search-order has something other than ${SEARCHED.join(" and ")}`);
}

const LB_PROVIDERS = ["amphora", "octavia", "amphorav2", "ovn", "f5"];

function warnOfDoubts(
  { loadBalancer, networking }: CloudConf,
  file: string,
  warn: (message: string) => void,
): void {
  const { lbProvider, monitorDelay, monitorTimeout } = loadBalancer;
  if (!LB_PROVIDERS.includes(lbProvider))
    warn(
      `${file}: lb-provider ${lbProvider} is not one of ${LB_PROVIDERS.join(", ")}; it is used as written.`,
    );
  if (monitorTimeout > monitorDelay)
    warn(
      `${file}: monitor-timeout is longer than monitor-delay, which Octavia refuses; make it shorter.`,
    );
  for (const cidr of networking.addressSortOrder) {
    if (parseCidr(cidr) === undefined)
      warn(`${file}: address-sort-order holds ${cidr}, which is not a CIDR; it is skipped.`);
  }
}
