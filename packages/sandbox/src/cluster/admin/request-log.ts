/** One request that the API answered, or began to answer. */
export interface LoggedRequest {
  /** RFC 3339 with milliseconds. */
  readonly at: string;
  readonly method: string;
  readonly verb: string;
  /** With its query. */
  readonly path: string;
  readonly user: string;
  readonly userAgent: string;
  /** The status of the answer; 0 for a request that a fault left hanging. */
  readonly code: number;
  /** The authorizer's decision, as in a real cluster's audit log; absent for an unknown caller. */
  readonly decision?: "allow" | "forbid";
  /** Only for writes; secrets and token requests are left out. */
  readonly body?: string;
}

const MOST_REQUESTS = 20_000;
/** How many more may collect before the oldest are dropped: trimming at each request would copy the list each time. */
const SLACK = 5_000;
const LONGEST_BODY = 8 * 1_024;
const SECRET_PATHS = /\/(secrets|tokenreviews|token)(\/|\?|$)/;

/** The latest requests, for tests that count them: a real cluster has an audit log. */
export class RequestLog {
  #requests: LoggedRequest[] = [];

  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  add(request: LoggedRequest): void {
    this.#requests.push(withShortBody(request));
    if (this.#requests.length > MOST_REQUESTS + SLACK) {
      this.#requests = this.#requests.slice(-MOST_REQUESTS);
    }
  }

  clear(): void {
    this.#requests = [];
  }
}

function withShortBody(request: LoggedRequest): LoggedRequest {
  const { body, ...others } = request;
  const isKept = body !== undefined && body !== "" && !SECRET_PATHS.test(request.path);
  return isKept ? { ...others, body: body.slice(0, LONGEST_BODY) } : others;
}
