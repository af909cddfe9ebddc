import type { WebhookForm } from "@cloudwright/core/model/notifications";
import type { DeliveryView } from "@cloudwright/store/views/webhooks";

/** The version of our format: raised when a member changes its meaning or is removed, not when one is added. */
const PAYLOAD_VERSION = 1;

/** The content of a message, whatever its format. */
export interface Message
  extends Pick<
    DeliveryView,
    "id" | "cluster" | "clusterName" | "condition" | "phase" | "count" | "sentence" | "createdAt"
  > {
  /** The same in the opening and the closing message. */
  readonly alarm: string;
  /** The first affected object. */
  readonly object: { readonly kind: string; readonly name: string } | undefined;
  /** When the condition began. */
  readonly since: number | undefined;
  /** The page's address; undefined if the dashboard does not know its own URL. */
  readonly link: string | undefined;
}

/** Returns the body to post. */
export function bodyOf(form: WebhookForm, message: Message): string {
  return JSON.stringify(form === "slack" ? slackBody(message) : ourBody(message));
}

function ourBody(message: Message) {
  const { id, alarm, phase, condition, count, sentence, link, object } = message;
  return {
    version: PAYLOAD_VERSION,
    id,
    test: phase === "test",
    alarm,
    condition: condition ?? "test",
    phase,
    cluster:
      message.cluster === undefined ? null : { id: message.cluster, name: message.clusterName },
    object: object ?? null,
    count,
    sentence,
    link: link ?? null,
    since: message.since === undefined ? null : isoTime(message.since),
    at: isoTime(message.createdAt),
  };
}

/** Slack accepts 3,000 characters of text. */
const SENTENCE_MOST = 2_000;

const MARKS = { begins: ":red_circle:", ends: ":white_check_mark:", test: ":bell:" } as const;

/** Slack's incoming webhooks, whose format Mattermost, Rocket.Chat and others accept as well. */
function slackBody({ phase, clusterName, sentence, link }: Message) {
  const said = `${MARKS[phase]} *${escaped(clusterName)}*: ${escaped(sentence.slice(0, SENTENCE_MOST))}`;
  const text = link === undefined ? said : `${said} <${link}|Open>`;
  return {
    text,
    blocks: [{ type: "section", text: { type: "mrkdwn", text } }],
  };
}

/** Slack reserves these three characters. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
