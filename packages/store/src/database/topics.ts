/** The topics of pages; the database's triggers name one in each wake-up. */
export const TOPICS = [
  "runs",
  "nodes",
  "intents",
  "audit",
  "instances",
  "budget",
  "webhooks",
  "comments",
  "incidents",
  "events",
] as const;
export type Topic = (typeof TOPICS)[number];

/** The channel that wakes the pages; its payload is `topic:cluster`. */
export const PAGES_CHANNEL = "cloudwright";
/** The channel that wakes leaders; its payload is the cluster. */
export const INTENTS_CHANNEL = "cloudwright_intents";

export interface TopicWake {
  readonly topic: Topic;
  /** Undefined for topics about accounts. */
  readonly cluster: string | undefined;
}

/** Reads a payload of `PAGES_CHANNEL`; undefined for a topic that this version does not know. */
export function parseTopicWake(payload: string): TopicWake | undefined {
  const colon = payload.indexOf(":");
  const topic = TOPICS.find((known) => known === payload.slice(0, colon));
  if (topic === undefined) return undefined;
  const cluster = payload.slice(colon + 1);
  return { topic, cluster: cluster === "" ? undefined : cluster };
}
