import { formatDuration } from "../language/duration.ts";
import { t } from "../language/text.ts";
import type { Failure, Freshness } from "./freshness.ts";

export interface MessageOptions {
  readonly now: number;
  /** Formats a point in time for the page, in the user's zone. */
  readonly clock: (at: number) => string;
}

export interface FreshnessMessages {
  readonly dot: Dot;
  /** Shown above the page while a link fails. */
  readonly banner: Banner | undefined;
  /** The label before `asOf`. */
  readonly asOfLabel: string;
  /** The note before a page's statement while that is old; otherwise undefined. */
  readonly note: string | undefined;
  /** Why no action can be requested; undefined if one can. */
  readonly whyNoAction: string | undefined;
}

export interface Dot {
  readonly tone: "live" | "connecting" | "reconnecting" | "paused" | "stale";
  /** The word alone, for screen readers: it changes only when the tone does. */
  readonly word: string;
  /** Includes the time. */
  readonly text: string;
}

export interface Banner {
  readonly tone: "stuck" | "unknown" | "waiting";
  readonly text: string;
}

export function freshnessMessages(
  freshness: Freshness,
  options: MessageOptions,
): FreshnessMessages {
  const { failure } = freshness;
  return {
    dot: dotOf(freshness, options),
    banner:
      failure === undefined
        ? undefined
        : { tone: toneOf(failure), text: failureSentence(freshness, failure, options.clock) },
    asOfLabel: freshness.isOld ? t`Last updated` : t`Data as of`,
    note: freshness.isOld ? staleNote(freshness.asOf, options.clock) : undefined,
    whyNoAction: whyNoAction(freshness),
  };
}

function dotOf({ stream, isOld, failure }: Freshness, { now, clock }: MessageOptions): Dot {
  if (isOld) {
    const since = failure?.since;
    const text = since === undefined ? t`Stale` : t`Stale since ${clock(since)}`;
    return { tone: "stale", word: t`Stale`, text };
  }
  switch (stream.kind) {
    case "open":
      return { tone: "live", word: t`Live`, text: t`Live` };
    case "opening":
      return { tone: "connecting", word: t`Connecting`, text: t`Connecting` };
    case "paused":
      return { tone: "paused", word: t`Paused`, text: t`Paused` };
    case "lost": {
      const text = t`Reconnecting (${seconds(now - stream.since)})`;
      return { tone: "reconnecting", word: t`Reconnecting`, text };
    }
  }
}

function toneOf({ link, cause }: Failure): Banner["tone"] {
  if (cause === "held") return "waiting";
  return link === "server" || link === "database" || cause === "none" ? "stuck" : "unknown";
}

/**
 * Returns which link fails, since when, what is therefore unknown, and what to do. It contains no duration, so that a screen
 * reader that announces changes does not speak every second.
 */
export function failureSentence(
  { asOf }: Pick<Freshness, "asOf">,
  failure: Failure,
  clock: Clock,
): string {
  return SENTENCES[failure.link](failure as never, clock, asOf);
}

type Clock = MessageOptions["clock"];

const SENTENCES: {
  readonly [Kind in Failure["link"]]: (
    failure: Extract<Failure, { link: Kind }>,
    clock: Clock,
    asOf: number | undefined,
  ) => string;
} = {
  server: ({ cause, since }, clock, asOf) => {
    if (cause === "refuses")
      return t`The dashboard's server has answered some of this page's requests with an error since ${clock(since)}: part of what is shown may be out of date. Its log says why.`;
    const first =
      since === undefined
        ? t`This page cannot reach the dashboard's server.`
        : t`This page has been unable to reach the dashboard's server since ${clock(since)}.`;
    return t`${first} ${shownText(asOf, clock)} This page cannot tell whether the database and the controllers work, and no action can be requested. Check that the dashboard is running; this page recovers by itself once it answers.`;
  },
  database: ({ since }, clock, asOf) => {
    const first =
      since === undefined
        ? t`The dashboard's server cannot reach its database.`
        : t`The dashboard's server has been unable to reach its database since ${clock(since)}.`;
    return t`${first} ${shownText(asOf, clock)} The dashboard cannot tell whether the controllers work, and no action can be requested. Check that PostgreSQL is running and reachable.`;
  },
  leader: (failure, clock) => {
    if (failure.cause === "none")
      return t`No controller leads: nothing is reconciled, what is shown is from the last one that led, and actions wait. A replica takes the Lease within seconds if one runs.`;
    const { identity, since } = failure;
    return identity === undefined
      ? t`The last controller last reported at ${clock(since)}; current state unknown. What is shown is from then, and actions wait. Check that it is running and can reach the database.`
      : t`The leader ${identity} last reported at ${clock(since)}; current state unknown. What is shown is from then, and actions wait. Check that it is running and can reach the database.`;
  },
  watch: ({ since }, clock) =>
    t`The leader has received nothing from the Kubernetes API since ${clock(since)}: what is shown of nodes and Services may be out of date. Check the API server and the network to it.`,
  cloud: (failure, clock) => {
    if (failure.cause === "held")
      return t`The cloud does not accept any calls until ${clock(failure.until)}: what is shown of the cloud may be out of date until then. Calls resume automatically.`;
    if (failure.cause === "closed")
      return t`The cloud has refused every call with 429 since ${clock(failure.since)}: what is shown of the cloud may be out of date. Check its rate limits and who else uses them; one call is tried after each wait.`;
    return t`The cloud has not answered any call since ${clock(failure.since)}: what is shown of the cloud may be out of date. Check the cloud's status and the network to it; calls are retried automatically.`;
  },
};

/** Returns the note before a statement that was true at `asOf` (milliseconds since the epoch) and may no longer be. */
export function staleNote(asOf: number | undefined, clock: Clock): string {
  return asOf === undefined
    ? t`Current state unknown; last known:`
    : t`Current state unknown; as of ${clock(asOf)}:`;
}

function whyNoAction({ failure, actions }: Freshness): string | undefined {
  if (actions !== "impossible") return undefined;
  return failure?.link === "database"
    ? t`The dashboard's server cannot reach its database, so no action can be requested.`
    : t`This page cannot reach the dashboard's server, so no action can be requested.`;
}

function shownText(asOf: number | undefined, clock: Clock): string {
  return asOf === undefined
    ? t`Nothing could be read yet.`
    : t`What is shown was last updated at ${clock(asOf)} and may be out of date.`;
}

/** For a clock that ticks once a second: no tenths, nothing below a second. */
function seconds(ms: number): string {
  return formatDuration(Math.max(1, Math.round(ms / 1_000)) * 1_000);
}
