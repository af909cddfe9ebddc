import {
  type CallContext,
  type CallDescription,
  ProviderError,
  type ProviderErrorCode,
} from "@cloudwright/provider-api";
import { fencedDispatch } from "@cloudwright/provider-api/http";
import { type Agent, request } from "undici";

/** Name of the cloud in messages and, with `://`, of its provider IDs. */
export const NAME = "fakecloud";

/** The HTTP calls of the baseline's cloud. Throws ProviderError. */
export class Api {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, agent: Agent) {
    this.#url = url.replace(/\/$/, "");
    this.#agent = agent;
  }

  call(operation: string, body: object, context: CallContext): Promise<unknown> {
    return this.#send({ operation, target: JSON.stringify(body), mutates: false }, body, context);
  }

  /** One that changes something: only the leader makes it. */
  change(
    { operation, target }: { operation: string; target: string },
    body: object,
    context: CallContext,
  ): Promise<unknown> {
    return this.#send({ operation, target, mutates: true }, body, context);
  }

  #send(call: CallDescription, body: object, context: CallContext): Promise<unknown> {
    const { operation } = call;
    return context.call(call, async (signal, mayLeave) => {
      const answer = await request(`${this.#url}/v1/${operation}`, {
        dispatcher: fencedDispatch(this.#agent, mayLeave),
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200)
        throw refused(
          operation,
          answer.statusCode,
          retryAfter(answer.headers["retry-after"], text),
        );
      return { value: JSON.parse(text) as unknown, status: answer.statusCode };
    });
  }
}

interface Refusal {
  readonly text: string;
  readonly retryAfterMs: number | undefined;
}

function retryAfter(header: string | string[] | undefined, text: string): Refusal {
  const seconds = Number(header);
  return { text, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined };
}

function refused(
  operation: string,
  status: number,
  { text, retryAfterMs }: Refusal,
): ProviderError {
  const code: ProviderErrorCode =
    status === 404 ? "NotFound" : status === 429 ? "Throttled" : "Unavailable";
  const call = {
    provider: NAME,
    operation,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return new ProviderError(code, text.trim() || `status ${status}`, call);
}

export function asProviderError(error: unknown, operation: string): ProviderError {
  if (error instanceof Error && error.name === "ProviderError") return error as ProviderError;
  const message = error instanceof Error ? error.message : String(error);
  return new ProviderError("Unavailable", message, { provider: NAME, operation, cause: error });
}
