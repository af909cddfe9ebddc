import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import { z } from "zod";
import { createClient, type OpenStackClient } from "../src/api/client.ts";
import { type OpenStackConfig, watchConfig } from "../src/config/config.ts";

const PORTS = { network: "19696", "load-balancer": "19876", compute: "18774", identity: "15000" };
type Service = keyof typeof PORTS;
const PREFIX = { network: "/v2.0", "load-balancer": "/v2.0/lbaas", compute: "/v2.1" };

const idsSchema = z.object({ private_subnet_id: z.string(), public_network_id: z.string() });

/** A refusal in the service's own words, or an answer that is lost on its way. */
export type Fate = { readonly status: number; readonly retryAfterMs?: number } | "lose" | undefined;

export interface AskedRequest {
  readonly service: Service;
  readonly method: string;
  readonly path: string;
}

export interface ConsoleCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly service: keyof typeof PREFIX;
  readonly path: string;
  readonly body?: object;
}

/** The OpenStack lab of this machine, through a relay on which requests can meet faults; undefined where it does not run. */
export class LabCloud {
  /** What becomes of a request; undefined leaves it to the cloud. */
  fate: (asked: AskedRequest) => Fate = () => undefined;
  readonly asked: AskedRequest[] = [];
  readonly ids: z.output<typeof idsSchema>;
  readonly behaviourFile: string;
  readonly client: OpenStackClient;
  readonly config: OpenStackConfig;
  readonly #server: Server;
  readonly #token: string;

  private constructor(parts: Parts) {
    const { dir, server, token, client, config } = parts;
    this.ids = parts.ids;
    this.behaviourFile = join(dir, "octavia/behaviour.json");
    this.client = client;
    this.config = config;
    this.#server = server;
    this.#token = token;
    server.on("request", (asked, answer) => void this.#pass(asked, answer));
  }

  /** `conf`: further lines of `[LoadBalancer]`. */
  static async open(conf = ""): Promise<LabCloud> {
    const settings = labSettings();
    if (settings === undefined) throw new Error("the lab does not run");
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const dir = labDir();
    const ids = idsSchema.parse(JSON.parse(readFileSync(join(dir, "lab.json"), "utf8")));
    const path = "cloud.conf";
    const source = `[Global]
auth-url = ${endpointOf(server)}/identity/v3
application-credential-id = ${settings.OS_APPLICATION_CREDENTIAL_ID}
application-credential-secret = ${settings.OS_APPLICATION_CREDENTIAL_SECRET}
[LoadBalancer]
lb-provider = lab
subnet-id = ${ids.private_subnet_id}
${conf}
`;
    const monotonic = () => performance.now();
    const warn = () => undefined;
    const watched = await watchConfig({ text: source, path, environment: {}, warn }, monotonic);
    const client = createClient({
      config: watched,
      userAgent: "cloudwright-test",
      monotonic,
      warn,
    });
    const token = await logIn(settings);
    return new LabCloud({ dir, ids, server, token, client, config: watched.atStart });
  }

  /** As somebody at the cloud's console, past the relay. What a deletion does not find is fine. */
  async console<T>({ method, service, path, body }: ConsoleCall): Promise<T> {
    const answer = await request(`http://127.0.0.1:${PORTS[service]}${PREFIX[service]}${path}`, {
      method,
      headers: { "x-auth-token": this.#token, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const said = await answer.body.text();
    const isGone = method === "DELETE" && answer.statusCode === 404;
    if (answer.statusCode >= 300 && !isGone)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${said}`);
    return (said === "" || isGone ? undefined : JSON.parse(said)) as T;
  }

  async close(): Promise<void> {
    await this.client.close();
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = asked;
    const [, service = "", ...rest] = url.split("/");
    const body = await text(asked);
    const about = { service: service as Service, method, path: `/${rest.join("/")}` };
    this.asked.push(about);
    const fate = this.fate(about);
    if (typeof fate === "object") return refuse(answer, about.service, fate);
    try {
      const { host: _, connection: _c, "content-length": _l, ...headers } = asked.headers;
      const passed = await request(`http://127.0.0.1:${PORTS[about.service]}${about.path}`, {
        method: method as "GET",
        headers,
        ...(body === "" ? {} : { body }),
      });
      const said = await passed.body.text();
      if (fate === "lose") return void asked.socket.destroy();
      const {
        "content-length": _b,
        "transfer-encoding": _t,
        connection: _d,
        ...kept
      } = passed.headers;
      answer.writeHead(passed.statusCode, kept);
      answer.end(this.#rewritten(said));
    } catch {
      asked.socket.destroy();
    }
  }

  /** The catalog's endpoints lead back here. */
  #rewritten(said: string): string {
    return Object.entries(PORTS).reduce(
      (shown, [service, port]) =>
        shown.replaceAll(`http://127.0.0.1:${port}`, `${endpointOf(this.#server)}/${service}`),
      said,
    );
  }
}

interface Parts extends Pick<LabCloud, "ids" | "client" | "config"> {
  readonly dir: string;
  readonly server: Server;
  readonly token: string;
}

function refuse(
  answer: ServerResponse,
  service: Service,
  { status, retryAfterMs }: Exclude<Fate, "lose" | undefined>,
): void {
  const wait = retryAfterMs === undefined ? {} : { "retry-after": String(retryAfterMs / 1_000) };
  const said =
    service === "network"
      ? { NeutronError: { type: "Played", message: "played", detail: "" } }
      : { faultcode: "Server", faultstring: "played", debuginfo: null };
  answer.writeHead(status, { "content-type": "application/json", ...wait });
  answer.end(JSON.stringify(said));
}

function endpointOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function logIn(settings: Settings): Promise<string> {
  const { OS_APPLICATION_CREDENTIAL_ID: id, OS_APPLICATION_CREDENTIAL_SECRET: secret } = settings;
  const answer = await request(`${settings.OS_AUTH_URL}/auth/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      auth: {
        identity: { methods: ["application_credential"], application_credential: { id, secret } },
      },
    }),
  });
  await answer.body.dump();
  return String(answer.headers["x-subject-token"]);
}

type Settings = Readonly<Record<string, string>>;

/** Of the lab's user; undefined where the lab is not, or does not run. */
export function labSettings(): Settings | undefined {
  const usual = fileURLToPath(new URL("../../../../../shared/openstack", import.meta.url));
  const folder = process.env.CLOUDWRIGHT_OPENSTACK ?? usual;
  if (!existsSync(join(folder, "env")) || !existsSync(join(labDir(), "lab.json"))) return undefined;
  try {
    const lines = execFileSync(join(folder, "env"), { encoding: "utf8" }).split("\n");
    const pairs = lines.flatMap((line) => {
      const [, name = "", value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
      return value === undefined ? [] : [[name, value] as const];
    });
    execFileSync("curl", ["-sf", "-o", "/dev/null", Object.fromEntries(pairs).OS_AUTH_URL ?? ""]);
    return Object.fromEntries(pairs);
  } catch {
    return undefined;
  }
}

function labDir(): string {
  const { OSLAB_DIR, XDG_CACHE_HOME } = process.env;
  return OSLAB_DIR ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "openstack-lab");
}
