/**
 * The freshness of a page: one assessment of everything between the user and the state of the cloud. Dot, banner, dimming and
 * every sentence about freshness follow from it (UX.md section 2). All times are milliseconds since the epoch by the page's
 * clock: the code that gathers them corrects the difference between the clocks.
 */

/** From the browser outwards: whatever lies behind a failing link is unknown. */
export const LINKS = ["server", "database", "leader", "watch", "cloud"] as const;
export type Link = (typeof LINKS)[number];

export interface FreshnessFacts {
  readonly now: number;
  /** The result of the last request to the dashboard's server. */
  readonly server: Exchange;
  /** That server's last report on its database; pending until there is one. */
  readonly database: Exchange;
  readonly stream: Stream;
  /** Since when a part of the page has been kept because reloading it failed; undefined if there is none. */
  readonly keptSince: number | undefined;
  /** When the cluster was last read; undefined before the first time. */
  readonly readAt: number | undefined;
  /** The cluster at that time; undefined if no controller has reported it. */
  readonly cluster: ClusterFacts | undefined;
}

export interface Exchange {
  /** `pending`: there has been no request yet. */
  readonly newest: "pending" | "answered" | "failed";
  /** The last time that it answered. */
  readonly answeredAt: number | undefined;
}

/** The channel by which a page learns of changes. */
export type Stream =
  | { readonly kind: "opening" }
  | { readonly kind: "open" }
  | { readonly kind: "lost"; readonly since: number }
  /** A user has stopped it. */
  | { readonly kind: "paused" };

export interface ClusterFacts {
  /** The newest report of any active controller. */
  readonly reportedAt: number;
  readonly leader: LeaderFacts | undefined;
}

export interface LeaderFacts {
  readonly identity: string;
  readonly reportedAt: number;
  /** How long the slowest watch had been silent, at the time of the report. */
  readonly watchSilentMs: number;
  readonly cloud: CloudFacts | undefined;
}

export interface CloudFacts {
  /** When calls are allowed again after the cloud throttled them. */
  readonly resumesAt: number | undefined;
  /** When the first of the calls failed that have failed since the last success. */
  readonly failingSince: number | undefined;
  /** Since when it has refused every call, once that is longer than its Retry-After is trusted. */
  readonly closedSince?: number | undefined;
}

export const PATIENCE = {
  /** A restart of the server takes no longer than this. */
  serverMs: 10_000,
  /** A controller reports every 5 s. */
  leaderMs: 30_000,
  watchMs: 60_000,
  /** Single failures of a cloud are retried within this time. */
  cloudMs: 60_000,
  /** A shorter pause of the calls delays nothing that a page shows. */
  cloudPauseMs: 15_000,
} as const;

export type Failure =
  | { readonly link: "server"; readonly cause: "silent"; readonly since: number | undefined }
  /** It answers, but not every request. */
  | { readonly link: "server"; readonly cause: "refuses"; readonly since: number }
  | { readonly link: "database"; readonly cause: "silent"; readonly since: number | undefined }
  | {
      readonly link: "leader";
      readonly cause: "silent";
      readonly since: number;
      /** Undefined if nobody led at the last report. */
      readonly identity: string | undefined;
    }
  | { readonly link: "leader"; readonly cause: "none"; readonly since: undefined }
  | { readonly link: "watch"; readonly cause: "silent"; readonly since: number }
  | { readonly link: "cloud"; readonly cause: "silent"; readonly since: number }
  /** It refuses to serve any call at present. */
  | { readonly link: "cloud"; readonly cause: "closed"; readonly since: number }
  | {
      readonly link: "cloud";
      readonly cause: "held";
      readonly since: undefined;
      readonly until: number;
    };

export type LinkStatus = "answers" | "fails" | "unknown";

export interface Freshness {
  readonly links: Readonly<Record<Link, LinkStatus>>;
  /** The failing link nearest to the browser; undefined if none fails. */
  readonly failure: Failure | undefined;
  readonly stream: Stream;
  /** The time up to which the page is known to be true; undefined before anything was read. */
  readonly asOf: number | undefined;
  /** Whether the content is older than it should be. */
  readonly isOld: boolean;
  /** Whether an action that is requested now is recorded and picked up. */
  readonly actions: "possible" | "wait" | "impossible";
}

/** Before anything is known. */
export const FRESHNESS_UNKNOWN: Freshness = {
  links: {
    server: "unknown",
    database: "unknown",
    leader: "unknown",
    watch: "unknown",
    cloud: "unknown",
  },
  failure: undefined,
  stream: { kind: "opening" },
  asOf: undefined,
  isOld: false,
  actions: "possible",
};

export function judgeFreshness(facts: FreshnessFacts): Freshness {
  const failure = firstFailure(facts);
  return {
    links: linksOf(facts, failure),
    failure,
    stream: facts.stream,
    asOf: earliest(facts.readAt, failure?.since),
    isOld: failure !== undefined && failure.link !== "cloud",
    actions: actionsWith(failure),
  };
}

/**
 * Reports whether a process that reported at that time is known to be still running. `readAt` is when its report
 * was read.
 */
export function isReporting(reportedAt: number, readAt: number): boolean {
  return readAt - reportedAt <= PATIENCE.leaderMs;
}

/** Returns which of a cluster's own links failed when it was read. */
export function clusterFailure(
  cluster: ClusterFacts,
  { readAt, now }: { readonly readAt: number; readonly now: number },
): Failure | undefined {
  const { leader } = cluster;
  if (leader === undefined) return withoutLeader(cluster, readAt);
  if (!isReporting(leader.reportedAt, readAt)) {
    const { identity, reportedAt: since } = leader;
    return { link: "leader", cause: "silent", since, identity };
  }
  if (leader.watchSilentMs > PATIENCE.watchMs) {
    const since = leader.reportedAt - leader.watchSilentMs;
    return { link: "watch", cause: "silent", since };
  }
  return cloudFailure(leader, now);
}

function firstFailure(facts: FreshnessFacts): Failure | undefined {
  const { server, database, cluster, readAt, keptSince, now } = facts;
  if (isSilent(server, now)) return { link: "server", cause: "silent", since: server.answeredAt };
  // The server has waited for the database before it reports this.
  if (database.newest === "failed")
    return { link: "database", cause: "silent", since: database.answeredAt };
  const behind =
    cluster === undefined || readAt === undefined
      ? undefined
      : clusterFailure(cluster, { readAt, now });
  if (behind !== undefined && behind.link !== "cloud") return behind;
  // One refused request says nothing about the links, so their known failures take precedence.
  if (keptSince !== undefined) return { link: "server", cause: "refuses", since: keptSince };
  return behind;
}

function isSilent({ newest, answeredAt }: Exchange, now: number): boolean {
  if (newest !== "failed") return false;
  return answeredAt === undefined || now - answeredAt > PATIENCE.serverMs;
}

function withoutLeader({ reportedAt }: ClusterFacts, readAt: number): Failure {
  return isReporting(reportedAt, readAt)
    ? { link: "leader", cause: "none", since: undefined }
    : { link: "leader", cause: "silent", since: reportedAt, identity: undefined };
}

function cloudFailure({ cloud, reportedAt }: LeaderFacts, now: number): Failure | undefined {
  const { failingSince, resumesAt, closedSince } = cloud ?? {};
  if (closedSince !== undefined) return { link: "cloud", cause: "closed", since: closedSince };
  if (failingSince !== undefined && reportedAt - failingSince > PATIENCE.cloudMs)
    return { link: "cloud", cause: "silent", since: failingSince };
  if (resumesAt !== undefined && resumesAt - now > PATIENCE.cloudPauseMs)
    return { link: "cloud", cause: "held", since: undefined, until: resumesAt };
  return undefined;
}

function linksOf(facts: FreshnessFacts, failure: Failure | undefined): Freshness["links"] {
  const broken = failure?.cause === "refuses" ? undefined : failure?.link;
  const reach = broken === undefined ? LINKS.length : LINKS.indexOf(broken);
  const status = (link: Link): LinkStatus => {
    const place = LINKS.indexOf(link);
    if (place === reach) return "fails";
    return place < reach && isHeardOf(link, facts) ? "answers" : "unknown";
  };
  return {
    server: status("server"),
    database: status("database"),
    leader: status("leader"),
    watch: status("watch"),
    cloud: status("cloud"),
  };
}

function isHeardOf(link: Link, { server, database, cluster }: FreshnessFacts): boolean {
  switch (link) {
    case "server":
      return server.answeredAt !== undefined;
    case "database":
      return database.newest === "answered";
    case "leader":
    case "watch":
      return cluster?.leader !== undefined;
    case "cloud":
      return cluster?.leader?.cloud !== undefined;
  }
}

function actionsWith(failure: Failure | undefined): Freshness["actions"] {
  if (failure === undefined || failure.cause === "refuses") return "possible";
  if (failure.link === "server" || failure.link === "database") return "impossible";
  return failure.link === "leader" ? "wait" : "possible";
}

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left;
  return Math.min(left, right);
}
