import { request } from "node:http";

export interface RawRequest {
  readonly method?: string;
  /** As it is sent: nothing is normalised or encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Answers with the first part of what comes, and ends it: an event stream has no end of its own. */
  readonly isStream?: boolean;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** One request on a connection of its own. A connection that ends without an answer has the status 0. */
export function sendRaw(
  origin: string,
  { body, isStream = false, ...raw }: RawRequest,
): Promise<RawReply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const cut = () => resolve({ status: 0, headers: {}, text: "" });
    const sent = request(
      {
        hostname,
        port,
        agent: false,
        method: raw.method ?? "GET",
        path: raw.path,
        headers: raw.headers,
      },
      (answer) => {
        let text = "";
        const end = () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
          if (!isStream) return;
          end();
          sent.destroy();
        });
        answer.on("error", cut);
        answer.on("end", end);
      },
    );
    sent.on("error", cut);
    sent.end(body);
  });
}
