import { createServer } from "node:net";
import { parseAddress, parseCidr } from "@cloudwright/core/model/values/cidr";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { PlainError } from "../../plain-error.ts";

/** Throws PlainError for an address at which no browser reaches a dashboard. */
export function requireBaseUrl(flag: string, url: string, example: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const { protocol = "", username, search, hash } = parsed ?? {};
  if (/^https?:$/.test(protocol) && !username && !search && !hash) return;
  throw new PlainError(`${flag} is "${url}": give the dashboard's address, such as ${example}.`);
}

/** Throws PlainError for a list that the server could not read. */
export function requireProxies(list: string): void {
  const entries = list.split(",").map((entry) => entry.trim());
  const wrong = entries.find((entry) => entry !== "" && !parseAddress(entry) && !parseCidr(entry));
  if (wrong === undefined) return;
  throw new PlainError(
    `--trusted-proxies has "${wrong}": give addresses or ranges such as 10.0.0.0/8, with commas between them.`,
  );
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Throws PlainError if the server could not listen there: it would print a stack. */
export async function requireFree({ host, port }: ListenAddress): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const advice =
      code === "EADDRINUSE"
        ? "stop what uses the port, or give another --port or --host"
        : code === "EACCES"
          ? "give a --port of 1024 or more"
          : "give an address of this machine as --host";
    throw new PlainError(
      `The dashboard cannot listen on ${host}:${port} (${messageOf(cause)}): ${advice}.`,
      { cause },
    );
  } finally {
    server.close();
  }
}
