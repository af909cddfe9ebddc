import { SERVICE_TAG } from "../load-balancers.ts";
import {
  HttpRelay,
  objectOf,
  type RelayedApi,
  type RelayedRequest,
  type RelayRule as RuleOf,
} from "./http-relay.ts";

/** One request of a client to the sandbox cloud. */
export interface RelayedCall extends RelayedRequest, AboutService {}

interface AboutService {
  /** The Service that it is about, `namespace/name`, from the tags of a load balancer or a firewall rule. */
  readonly service: string | undefined;
}

export type RelayRule = RuleOf<RelayedCall>;
export type CloudRelay = HttpRelay<AboutService>;

/** Opens a relay to the sandbox cloud's API that can tell Services' requests apart, which the cloud's own journal and faults cannot. */
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

/** Returns the owners of the load balancers and rules in an answer. */
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
