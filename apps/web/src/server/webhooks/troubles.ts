import type { Intent } from "@cloudwright/core/model/actions/intent";
import {
  clusterFailure,
  type Failure,
  PATIENCE,
} from "@cloudwright/core/model/freshness/freshness";
import { failureSentence } from "@cloudwright/core/model/freshness/freshness-messages";
import type { Condition } from "@cloudwright/core/model/notifications";
import { objectName } from "@cloudwright/core/model/object-ref";
import { capitalise } from "@cloudwright/core/model/sentence";
import type { ChainVerification } from "@cloudwright/store/views/chains";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { Problem } from "@cloudwright/store/views/overview";
import type { ObjectTrouble } from "@cloudwright/store/webhooks/troubles";
import { addresses } from "../../components/url/addresses.ts";
import { objectAddress } from "../../components/url/object-address.ts";
import { clusterFacts } from "../../platform/live/cluster-facts.ts";
import { actionTitle } from "../../platform/wording/action-title.ts";
import { countOfProblems, kindWord } from "../../platform/wording/kind-words.ts";
import { problemLine } from "../../platform/wording/overview-messages.ts";

/** What is wrong in a cluster now, for one condition and one cause, in the words of the pages. */
export interface Trouble {
  readonly condition: Condition;
  readonly cause: string;
  /** The affected members, each with the time since when; undefined if the start is unknown. */
  readonly members: ReadonlyMap<string, number | undefined>;
  readonly object: { readonly kind: string; readonly name: string } | undefined;
  /** The title for this many of them. */
  readonly title: (count: number) => string;
  readonly sentence: (count: number, now: number) => string;
  /** The path of the page. */
  readonly path: (count: number) => string;
}

/** Describes objects of one kind that are in trouble for one cause. */
export function objectTrouble(cluster: string, found: ObjectTrouble): Trouble {
  const { condition, cause, kind, names, since } = found;
  const [name = ""] = names;
  const known = (at: number | undefined) => (condition === "drift" ? undefined : at);
  const title = (count: number) =>
    count === 1 ? `${capitalise(kindWord(kind))} ${name}` : countOfProblems(count, kind);
  return {
    ...{ condition, cause, title, object: { kind, name } },
    members: new Map(names.map((each, place) => [`${kind}/${each}`, known(since[place])])),
    sentence: (count, now) =>
      condition === "drift"
        ? driftSentence(title(count), count)
        : problemLine(problemOf(found, count), now),
    path: (count) =>
      (count === 1 ? objectAddress(cluster, { kind, name }) : undefined) ??
      addresses.overview(cluster),
  };
}

function problemOf(found: ObjectTrouble, count: number): Problem {
  const { condition, cause: id, kind: of, names, since, controller, reason, nextAt } = found;
  const [name = ""] = names;
  const [oldest = 0] = since;
  const member = { name, uid: "", controller, reason, since: oldest, nextAt } as const;
  return {
    ...{ id, kind: condition === "guard" ? "held" : "stuck", of, code: reason.code, count },
    ...{ since: oldest, members: [member as Problem["members"][number]] },
  };
}

function driftSentence(title: string, count: number): string {
  return count === 1
    ? `${title} has drifted: it differs from what it should be.`
    : `${title} have drifted: they differ from what they should be.`;
}

/** Describes actions that wait for another user's approval; those that were requested together count as one. */
export function approvalTroubles(cluster: string, waiting: readonly Intent[]): readonly Trouble[] {
  const causes = new Map<string, readonly [Intent, ...Intent[]]>();
  for (const intent of waiting) {
    const cause = intent.batch ?? intent.id;
    const [first, ...others] = causes.get(cause) ?? [];
    causes.set(cause, first === undefined ? [intent] : [first, ...others, intent]);
  }
  return [...causes].map(([cause, intents]) => approvalTrouble(cluster, { cause, intents }));
}

function approvalTrouble(
  cluster: string,
  { cause, intents }: { readonly cause: string; readonly intents: readonly [Intent, ...Intent[]] },
): Trouble {
  const [{ id, actor, why, object, batch }] = intents;
  const name = actionTitle(intents[0]);
  const title = (count: number) => (count === 1 ? name : `${name} and ${count - 1} more`);
  return {
    ...{ condition: "approval", cause, title },
    members: new Map(intents.map((each) => [each.id, each.requestedAt])),
    object: { kind: object.kind, name: objectName(object) },
    sentence: (count) =>
      `${title(count)} ${count === 1 ? "waits" : "wait"} for approval by a user other than ${actor}: ${why}`,
    path: (count) =>
      count === 1 || batch === undefined
        ? addresses.action(cluster, id)
        : addresses.batch(cluster, batch),
  };
}

/** Describes a verified chain; undefined while it is intact. */
export function chainTrouble(
  chain: string,
  { intact, sentence }: Pick<ChainVerification, "intact" | "sentence">,
): Trouble | undefined {
  if (intact) return undefined;
  const isAccounts = chain === "accounts";
  return {
    ...{ condition: "chain", cause: "chain", members: new Map([["chain", undefined]]) },
    object: undefined,
    title: () => (isAccounts ? "The audit chain of accounts" : "The audit chain"),
    sentence: () => sentence,
    path: () => (isAccounts ? addresses.clusters() : addresses.audit(chain)),
  };
}

/** Describes a cluster without a reporting leader; undefined while there is one. */
export function silenceTrouble(
  cluster: Pick<ClusterView, "id" | "lastHeardAt" | "leader">,
  now: number,
): Trouble | undefined {
  const failure = clusterFailure(clusterFacts(cluster, 0), { readAt: now, now });
  if (failure === undefined || failure.link !== "leader") return undefined;
  return {
    ...{ condition: "silent", cause: "silent", members: new Map([["leader", failure.since]]) },
    object: undefined,
    title: () => "The cluster",
    sentence: () => failureSentence({ asOf: undefined }, failure satisfies Failure, minuteUtc),
    path: () => addresses.controllers(cluster.id),
  };
}

/** Returns when a cluster becomes silent if it reports no more. */
export function silentAt({ lastHeardAt, leader }: Pick<ClusterView, "lastHeardAt" | "leader">) {
  return (leader?.heardAt ?? lastHeardAt) + PATIENCE.leaderMs + 1;
}

function minuteUtc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
