import { request } from "node:http";

export interface RawRequest {
  readonly method?: string;
  /** Sent as is, without normalisation or encoding. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Returns only the first part of the response and closes it, since an event stream does not end by itself. */
  readonly isStream?: boolean;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Sends one request on its own connection. A connection that ends without an answer has the status 0. */
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
