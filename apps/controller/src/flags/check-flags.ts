import { nodeIpamModule } from "@cloudwright/core/controllers/node-ipam/module";
import { podRangeProblems } from "@cloudwright/core/controllers/node-ipam/pod-ranges";
import { routeModule } from "@cloudwright/core/controllers/route/module";
import { serviceModule } from "@cloudwright/core/controllers/service/module";
import { parseCidr } from "@cloudwright/core/model/values/cidr";
import { formatGoDuration } from "@cloudwright/core/model/values/go-duration";
import { checkLogging } from "./check-logging.ts";
import { checkCallers, checkServing } from "./check-serving.ts";
import { databaseUrlProblems } from "./database-url.ts";
import type { FlagValues } from "./definitions/all.ts";
import { gateProblems } from "./feature-gates.ts";
import {
  selectedControllers,
  unknownControllers,
  unknownWebhooks,
  WEBHOOK_NAMES,
} from "./selection.ts";

/** Returns every mistake or contradiction in the flags, one sentence each (spec/00 §2, §9, §16). */
export function checkFlags(flags: FlagValues): readonly string[] {
  return CHECKS.flatMap((check) => check(flags));
}

type Check = (flags: FlagValues) => readonly string[];

const checkProvider: Check = (flags) =>
  isNoCloud(flags["cloud-provider"]) && flags["cloud-provider-socket"] === ""
    ? [
        `--cloud-provider is ${flags["cloud-provider"] === "" ? "not set" : '"external", which names no cloud'}: name the cloud, for example --cloud-provider=sandbox.`,
      ]
    : [];

function isNoCloud(name: string): boolean {
  return name === "" || name === "external";
}

const checkSocketOwner: Check = (flags) => {
  const { user, group } = flags["cloud-provider-socket-owner"];
  const isGiven = user !== undefined || group !== undefined;
  return isGiven && flags["cloud-provider-socket"] === ""
    ? [
        "--cloud-provider-socket-owner is given without --cloud-provider-socket: name the socket, or remove the flag.",
      ]
    : [];
};

const checkControllers: Check = (flags) =>
  unknownControllers(flags.controllers).map(
    (word) => `--controllers names "${word}", which is not a controller: --help lists them.`,
  );

const checkWebhooks: Check = (flags) =>
  unknownWebhooks(flags.webhooks).map(
    (word) =>
      `--webhooks names "${word}", which is not a webhook: use one of ${WEBHOOK_NAMES.join(", ")}.`,
  );

const checkGates: Check = (flags) => gateProblems(flags["feature-gates"]);

const checkElection: Check = (flags) => {
  if (!flags["leader-elect"]) return [];
  return [...checkLock(flags), ...checkTimings(flags)];
};

const checkLock: Check = (flags) => {
  const problems: string[] = [];
  const lock = flags["leader-elect-resource-lock"];
  if (lock !== "leases") {
    problems.push(
      `--leader-elect-resource-lock is "${lock}": only leases is supported; remove the flag.`,
    );
  }
  for (const name of ["leader-elect-resource-name", "leader-elect-resource-namespace"] as const) {
    if (flags[name] === "")
      problems.push(`--${name} is empty: name the Lease, or remove the flag.`);
  }
  return problems;
};

const checkTimings: Check = (flags) => {
  const lease = flags["leader-elect-lease-duration"];
  const renew = flags["leader-elect-renew-deadline"];
  const retry = flags["leader-elect-retry-period"];
  const problems: string[] = [];
  if (lease < 1_000) {
    problems.push(
      `--leader-elect-lease-duration is ${formatGoDuration(lease)}: a Lease counts in whole seconds, so give 1s or more.`,
    );
  }
  if (retry <= 0) {
    problems.push(
      `--leader-elect-retry-period is ${formatGoDuration(retry)}: it must be more than 0s.`,
    );
  }
  if (renew >= lease) {
    problems.push(
      `--leader-elect-renew-deadline (${formatGoDuration(renew)}) must be shorter than --leader-elect-lease-duration (${formatGoDuration(lease)}): make one of them fit.`,
    );
  }
  if (renew <= 1.2 * retry) {
    problems.push(
      `--leader-elect-renew-deadline (${formatGoDuration(renew)}) must be longer than 1.2 times --leader-elect-retry-period (${formatGoDuration(retry)}): make one of them fit.`,
    );
  }
  return problems;
};

const AT_LEAST_ONE = [
  "concurrent-node-syncs",
  "concurrent-node-lifecycle-syncs",
  "concurrent-service-syncs",
] as const;

const checkConcurrency: Check = (flags) =>
  AT_LEAST_ONE.filter((name) => flags[name] < 1).map(
    (name) =>
      `--${name} is ${flags[name]}: it must be 1 or more; to turn a controller off, use --controllers.`,
  );

const ABOVE_ZERO = [
  "log-flush-frequency",
  "node-status-update-frequency",
  "node-monitor-period",
  "route-reconciliation-period",
  "load-balancer-drift-period",
  "volume-drift-period",
  "audit-checkpoint-period",
  "max-retry-after",
] as const;
const NOT_NEGATIVE = [
  "min-resync-period",
  "controller-start-interval",
  "new-node-grace",
  "orphan-grace",
  "authentication-token-webhook-cache-ttl",
  "authorization-webhook-cache-authorized-ttl",
  "authorization-webhook-cache-unauthorized-ttl",
] as const;

const checkDurations: Check = (flags) => [
  ...ABOVE_ZERO.filter((name) => flags[name] <= 0).map(
    (name) => `--${name} is ${formatGoDuration(flags[name])}: it must be more than 0s.`,
  ),
  ...NOT_NEGATIVE.filter((name) => flags[name] < 0).map(
    (name) => `--${name} is ${formatGoDuration(flags[name])}: it must not be negative.`,
  ),
];

const checkClasses: Check = (flags) => {
  const isIdle = !flags["load-balancer-classless"] && flags["load-balancer-class"].length === 0;
  return isIdle && selectedControllers(flags).includes(serviceModule.name)
    ? [
        `--load-balancer-classless is false and no --load-balancer-class is given: no Service would be served; name a class, or turn the controller off with --controllers=*,-${serviceModule.name}.`,
      ]
    : [];
};

const checkClient: Check = (flags) =>
  flags["kube-api-qps"] > 0 && flags["kube-api-burst"] < 1
    ? [
        `--kube-api-burst is ${flags["kube-api-burst"]}: with a limit of requests a second it must be 1 or more.`,
      ]
    : [];

/** Ranges are checked only if something reads them; the number of Service ranges is checked always, as upstream does. */
const checkRanges: Check = (flags) => {
  const services = flags["service-cluster-ip-range"];
  const givesRanges = areRangesGiven(flags);
  const isRead = givesRanges || areRoutesWanted(flags);
  return [
    ...(isRead ? checkClusterRanges(flags["cluster-cidr"]) : []),
    ...checkCount("service-cluster-ip-range", services),
    ...(givesRanges ? checkFamilies("service-cluster-ip-range", services) : []),
  ];
};

/** Reports whether a controller of this process assigns pod ranges to nodes. */
function areRangesGiven(flags: FlagValues): boolean {
  return flags["allocate-node-cidrs"] && selectedControllers(flags).includes(nodeIpamModule.name);
}

function areRoutesWanted(flags: FlagValues): boolean {
  const isSelected = selectedControllers(flags).includes(routeModule.name);
  return isSelected && flags["configure-cloud-routes"];
}

function checkClusterRanges(ranges: readonly string[]): readonly string[] {
  return [
    ...ranges
      .filter((range) => parseCidr(range) === undefined)
      .map((range) => `--cluster-cidr has "${range}": it must be a CIDR such as 10.244.0.0/16.`),
    ...checkCount("cluster-cidr", ranges),
    ...checkFamilies("cluster-cidr", ranges),
  ];
}

function checkCount(name: string, ranges: readonly string[]): readonly string[] {
  return ranges.length > 2 ? [`--${name} has ${ranges.length} ranges: give at most two.`] : [];
}

/** Checks the families of two ranges: more than two are refused before. */
function checkFamilies(name: string, ranges: readonly string[]): readonly string[] {
  if (ranges.length > 2) return [];
  const families = ranges.flatMap((range) => parseCidr(range)?.family ?? []);
  if (new Set(families).size === families.length) return [];
  return [`--${name} has two ranges of one family: give one IPv4 and one IPv6 range.`];
}

const checkMigration: Check = (flags) =>
  flags["enable-leader-migration"] && !flags["leader-elect"]
    ? ["--enable-leader-migration needs leader election: leave out --leader-elect=false."]
    : [];

const checkDatabaseUrl: Check = (flags) =>
  databaseUrlProblems("--database-url", flags["database-url"]);

const checkSpool: Check = (flags) =>
  flags["spool-max-bytes"] < 16_777_216
    ? [
        `--spool-max-bytes is ${flags["spool-max-bytes"]}: give at least 16Mi, or decisions are lost while the database is down.`,
      ]
    : [];

/** The log shows the address, so it must not contain a password. */
const checkTracing: Check = (flags) => {
  const endpoint = flags["tracing-endpoint"];
  if (endpoint === "") return [];
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    return [
      "--tracing-endpoint is not the address of a collector: give one such as http://localhost:4318.",
    ];
  }
  const { username, password } = new URL(endpoint);
  return username === "" && password === ""
    ? []
    : [
        "--tracing-endpoint holds a user or password: give credentials by OTEL_EXPORTER_OTLP_HEADERS.",
      ];
};

const CHECKS: readonly Check[] = [
  checkProvider,
  checkSocketOwner,
  checkControllers,
  checkWebhooks,
  checkGates,
  checkElection,
  checkConcurrency,
  checkDurations,
  checkClasses,
  checkClient,
  checkRanges,
  (flags) => (areRangesGiven(flags) ? podRangeProblems(flags) : []),
  checkMigration,
  checkServing,
  checkCallers,
  checkLogging,
  checkDatabaseUrl,
  checkSpool,
  checkTracing,
];
