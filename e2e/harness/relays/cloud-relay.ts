import { SERVICE_TAG } from "../load-balancers.ts";
import {
  HttpRelay,
  objectOf,
  type RelayedApi,
  type RelayedRequest,
  type RelayRule as RuleOf,
} from "./http-relay.ts";

/** One request of a client on its way to the sandbox cloud. */
export interface RelayedCall extends RelayedRequest, AboutService {}

interface AboutService {
  /** The Service that it is about, `namespace/name`, as the tags of a load balancer or of a firewall rule name it. */
  readonly service: string | undefined;
}

export type RelayRule = RuleOf<RelayedCall>;
export type CloudRelay = HttpRelay<AboutService>;

/**
 * A relay to the sandbox cloud's API that can distinguish one Service's requests from another's, as the cloud's own journal and
 * faults cannot.
 */
export function relayTo(endpoint: string): Promise<CloudRelay> {
  return HttpRelay.open(() => sandboxApi(endpoint));
}

function sandboxApi(endpoint: string): RelayedApi<AboutService> {
  const { origin } = new URL(endpoint);
  const owners = new Map<string, string>();
  return {
    urlOf: (path) => origin + path,
    about: ({ path, body }) => ({
      service: tagsOf(body)?.[SERVICE_TAG] ?? owners.get(path.split("/").at(-1) ?? ""),
    }),
    answer: (text) => {
      for (const [id, service] of ownersIn(text)) owners.set(id, service);
      return text;
    },
    refusal: (_, { code, message = `the relay says ${code}` }) => ({
      error: { code, message, requestId: "relay" },
    }),
    keptHeaders: ["x-request-id", "content-type", "retry-after"],
  };
}

/** Whose the load balancers and rules are that an answer shows. */
function ownersIn(text: string): readonly (readonly [string, string])[] {
  const answer = objectOf(text);
  const items: readonly unknown[] = Array.isArray(answer?.items) ? answer.items : [answer];
  return items.flatMap((item) => {
    const { id } = (item ?? {}) as { id?: string };
    const service = tagsOf(item)?.[SERVICE_TAG];
    return id === undefined || service === undefined ? [] : [[id, service] as const];
  });
}

function tagsOf(item: unknown): Readonly<Record<string, string>> | undefined {
  return (item as { tags?: Record<string, string> } | undefined)?.tags;
}
