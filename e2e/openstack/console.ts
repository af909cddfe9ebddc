import { request } from "undici";
import { z } from "zod";
import type { Service } from "./fault-proxy.ts";
import type { Lab, Settings } from "./lab.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A request that a service refused. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const withId = z.object({ id: z.string() });
const tokenSchema = z.object({ token: z.object({ project: withId, user: withId }) });

/** The cloud as somebody with its console sees it: past the proxy, uncounted, out of band. */
export class Console {
  readonly projectId: string;
  readonly userId: string;
  readonly identity: ServiceConsole;
  readonly compute: ServiceConsole;
  readonly network: ServiceConsole;
  readonly loadBalancer: ServiceConsole;

  private constructor({ origins }: Lab, token: string, ids: Ids) {
    this.projectId = ids.project.id;
    this.userId = ids.user.id;
    const at = (service: Service) => new ServiceConsole(origins[service] + PREFIX[service], token);
    this.identity = at("identity");
    this.compute = at("compute");
    this.network = at("network");
    this.loadBalancer = at("load-balancer");
  }

  /** As who these settings are of. */
  static async open(settings: Settings, lab: Lab): Promise<Console> {
    const auth = authOf(settings);
    const { body, token } = await send("POST", `${lab.authUrl}/auth/tokens`, { body: { auth } });
    if (token === undefined) throw new Error("Keystone answered without a token");
    return new Console(lab, token, tokenSchema.parse(body).token);
  }
}

type Ids = z.output<typeof tokenSchema>["token"];

/** One service's API. Paths are without its prefix: `/servers/detail`, `/routers`, `/lbaas/pools`. */
export class ServiceConsole {
  readonly #base: string;
  readonly #token: string;

  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  /** The body of the answer, which the caller knows the shape of. */
  async call<T>(method: Method, path: string, body?: object): Promise<T> {
    return (await send(method, this.#base + path, { body, token: this.#token })).body as T;
  }

  get<T>(path: string): Promise<T> {
    return this.call("GET", path);
  }

  /** What is gone already is fine. */
  async remove(path: string): Promise<void> {
    try {
      await this.call("DELETE", path);
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) throw error;
    }
  }
}

const PREFIX: Readonly<Record<Service, string>> = {
  identity: "/v3",
  compute: "/v2.1",
  network: "/v2.0",
  "load-balancer": "/v2",
};

interface Sending {
  readonly body?: object | undefined;
  readonly token?: string;
}

async function send(method: Method, url: string, { body, token }: Sending) {
  const answer = await request(url, {
    method,
    headers: {
      "content-type": "application/json",
      // Nova takes "none" for a server's networks since then.
      "openstack-api-version": "compute 2.37",
      ...(token === undefined ? {} : { "x-auth-token": token }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Refused(answer.statusCode, `${method} ${url}: ${answer.statusCode} ${text}`);
  const subject = answer.headers["x-subject-token"];
  return {
    body: (text === "" ? undefined : JSON.parse(text)) as unknown,
    token: typeof subject === "string" ? subject : undefined,
  };
}

function authOf(settings: Settings): object {
  const { OS_APPLICATION_CREDENTIAL_ID: id, OS_APPLICATION_CREDENTIAL_SECRET: secret } = settings;
  if (id !== undefined)
    return {
      identity: { methods: ["application_credential"], application_credential: { id, secret } },
    };
  const domain = { name: settings.OS_USER_DOMAIN_NAME };
  const user = { name: settings.OS_USERNAME, password: settings.OS_PASSWORD, domain };
  return {
    identity: { methods: ["password"], password: { user } },
    scope: { project: { name: settings.OS_PROJECT_NAME, domain } },
  };
}
