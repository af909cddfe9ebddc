import { request } from "undici";

export interface CloudAddress {
  /** Base URL under which `/v1` lives. */
  readonly endpoint: string;
  /** Base URL under which `/admin` lives. */
  readonly admin: string;
  readonly token: string;
}

export interface CloudCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path below `/v1` goes to the endpoint with the token, one below `/admin` to the admin address without it. */
  readonly path: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/**
 * Makes one call to a sandbox cloud; returns the answer's JSON, or undefined if there is none. Throws the cloud's error for a status from
 * 300 on.
 */
export async function callCloud(cloud: CloudAddress, call: CloudCall): Promise<unknown> {
  const isAdmin = call.path.startsWith("/admin");
  const response = await request(`${isAdmin ? cloud.admin : cloud.endpoint}${call.path}`, {
    method: call.method,
    signal: call.signal,
    headers: {
      "content-type": "application/json",
      ...(isAdmin ? {} : { authorization: `Bearer ${cloud.token}` }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) {
    throw new Error(`the cloud answered ${call.method} with ${response.statusCode} (${text})`);
  }
  return text === "" ? undefined : JSON.parse(text);
}
