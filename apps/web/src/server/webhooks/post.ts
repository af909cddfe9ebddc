import { type LookupAddress, lookup as resolve } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { type AddressOptions, addressProblem } from "./address-rules.ts";

export interface PostOptions extends AddressOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For everything from name resolution to the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type PostResult =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The start of the answer's body. */
      readonly body: string;
    }
  /** The rules refuse the address; nothing was sent. */
  | { readonly kind: "refused"; readonly problem: string }
  | { readonly kind: "failed"; readonly problem: string };

/** No more of an answer is read. */
const BODY_MOST = 4_096;

class AddressRefusedError extends Error {}

/**
 * Posts once, on a connection of its own. Every address that the URL's name resolves to is checked when connecting; a redirect counts as an
 * answer and is not followed. Never throws.
 */
export async function post(url: URL, options: PostOptions): Promise<PostResult> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A literal address is not looked up.
  const problem = isIP(host) === 0 ? undefined : addressProblem(host, options);
  if (problem !== undefined) return { kind: "refused", problem };
  try {
    return await exchange(url, options);
  } catch (error) {
    if (error instanceof AddressRefusedError) return { kind: "refused", problem: error.message };
    return { kind: "failed", problem: failureText(error, options.timeoutMs) };
  }
}

function failureText(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return `No answer within ${Math.round(timeoutMs / 1_000)} s.`;
  }
  if (error instanceof Error && error.name === "AbortError") return "The dashboard was ended.";
  return `${messageOf(error).replace(/\.$/, "")}.`;
}

function exchange(url: URL, options: PostOptions): Promise<PostResult> {
  const { headers, body, timeoutMs, signal } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const until = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((done, failed) => {
    const sent = send(url, {
      ...{ method: "POST", agent: false, lookup: checkedLookup(options), maxHeaderSize: 16_384 },
      headers: { ...headers, "content-length": Buffer.byteLength(body), connection: "close" },
    });
    const give = () => giveUp(sent, until, failed);
    until.addEventListener("abort", give, { once: true });
    sent.once("close", () => until.removeEventListener("abort", give));
    sent.once("error", failed);
    sent.once("response", (answer) => void answered(answer).then(done, failed));
    if (until.aborted) give();
    else sent.end(body);
  });
}

function giveUp(sent: ClientRequest, until: AbortSignal, failed: (error: unknown) => void): void {
  failed(until.reason);
  sent.destroy();
}

async function answered(answer: IncomingMessage): Promise<PostResult> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    const bytes = Buffer.from(part);
    parts.push(bytes.subarray(0, BODY_MOST - size));
    size += bytes.length;
    if (size >= BODY_MOST) break;
  }
  answer.destroy();
  return {
    kind: "answered",
    status: answer.statusCode ?? 0,
    retryAfter: answer.headers["retry-after"],
    body: Buffer.concat(parts).toString("utf8"),
  };
}

/** Resolves a name as usual, but fails if any of its addresses is refused, because any of them may be used. */
function checkedLookup(options: AddressOptions): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    const answer = (error: Error | null, addresses: readonly LookupAddress[]) => {
      const failure = error ?? refusalOf(hostname, addresses, options);
      const [first = NO_ADDRESS] = addresses;
      if (failure !== undefined) callback(failure, "", 0);
      else if (lookupOptions.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    resolve(hostname, { ...lookupOptions, all: true }, (error, found) =>
      answer(error, error === null ? found : []),
    );
  };
}

const NO_ADDRESS: LookupAddress = { address: "", family: 0 };

function refusalOf(
  hostname: string,
  addresses: readonly LookupAddress[],
  options: AddressOptions,
): Error | undefined {
  if (addresses.length === 0) return new Error(`${hostname} has no address.`);
  const problem = addresses
    .map(({ address }) => addressProblem(address, options))
    .find((each) => each !== undefined);
  return problem === undefined ? undefined : new AddressRefusedError(`${hostname}: ${problem}`);
}
