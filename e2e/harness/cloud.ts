import { Agent, request } from "undici";

export interface Instance {
  id: string;
  name: string;
  state: string;
  type: string;
  region: string;
  zone: string;
  addresses: { type: string; address: string }[];
  labels: Record<string, string>;
  managed: boolean;
  providerId?: string;
}

export type NewInstance = Partial<Omit<Instance, "id">> & { name: string };

export interface FaultRule {
  method?: string;
  path?: string;
  times?: number;
  /** The fraction of matching requests that it strikes, 0 to 1. */
  share?: number;
  status?: number;
  code?: string;
  latencyMs?: number;
  retryAfter?: number;
  instance?: string;
  loseResponse?: boolean;
  hang?: boolean;
  /** Only requests whose body has this field. */
  bodyHas?: string;
  /** Only requests whose body has this field and no other. */
  bodyOnly?: string;
}

export interface Faults {
  latencyMs?: number;
  rules?: FaultRule[];
  /** How long load balancers take to change. */
  provisioningMs?: number;
  quotas?: { loadBalancers?: number; routes?: number };
  throttle?: { perSecond: number; burst: number };
  /** Determines which requests a share strikes. */
  seed?: number;
}

export interface RecordedCall {
  at: string | number;
  method: string;
  path: string;
  /** As sent, without the question mark. */
  query: string;
  status: number;
  ms: number;
  requestId: string;
}

export interface Calls {
  total: number;
  byOperation: Record<string, { count: number; errors: number; throttled: number }>;
  recent: RecordedCall[];
}

export interface CloudReady {
  endpoint: string;
  token: string;
  admin: string;
}

/** The sandbox cloud as users and the harness access it: `/v1` for out-of-band changes, `/admin` for faults. */
export class Cloud {
  readonly ready: CloudReady;
  readonly #agent = new Agent({ connections: 16 });
  /** Changes of the fault rules, one after another, because concurrent rows share the rules. */
  #rules: Promise<unknown> = Promise.resolve();

  constructor(ready: CloudReady) {
    this.ready = ready;
  }

  /** Creates the instance with all requested fields, including those that only PATCH accepts. */
  async put(wanted: NewInstance): Promise<Instance> {
    const { name, type, zone, addresses, labels, ...rest } = wanted;
    const made = await this.v1<Instance>(
      "POST",
      "/v1/instances",
      defined({ name, type, zone, addresses, labels }),
    );
    const later = defined({ ...rest, type, zone });
    return Object.keys(later).length === 0 ? made : this.change(made.id, later);
  }

  /** Returns the only instance with this name. */
  async named(name: string): Promise<Instance> {
    const { items } = await this.v1<{ items: Instance[] }>("GET", `/v1/instances?name=${name}`);
    const [instance] = items;
    if (instance === undefined) throw new Error(`the cloud has no instance ${name}`);
    return instance;
  }

  change(id: string, fields: object): Promise<Instance> {
    return this.v1("PATCH", `/v1/instances/${id}`, fields);
  }

  stop(id: string): Promise<unknown> {
    return this.v1("POST", `/v1/instances/${id}/stop`);
  }

  start(id: string): Promise<unknown> {
    return this.v1("POST", `/v1/instances/${id}/start`);
  }

  remove(id: string): Promise<unknown> {
    return this.v1("DELETE", `/v1/instances/${id}`);
  }

  /** Adds rules to the active ones; returns a function that removes exactly these. */
  async fault(...rules: FaultRule[]): Promise<() => Promise<void>> {
    await this.#editRules((current) => [...current, ...rules]);
    const ours = new Set(rules.map(identity));
    return () => this.#editRules((current) => current.filter((rule) => !ours.has(identity(rule))));
  }

  /** Adds rules for reads of instances: all reads, or those of a rule's `instance`. */
  faultOnReads(...rules: FaultRule[]): Promise<() => Promise<void>> {
    return this.fault(...rules.map((rule) => ({ method: "GET", path: "/v1/instances*", ...rule })));
  }

  /** Replaces all faults; an empty object removes them. */
  setFaults(faults: Faults): Promise<unknown> {
    return this.admin("PUT", "/admin/faults", faults);
  }

  calls(): Promise<Calls> {
    return this.admin("GET", "/admin/calls");
  }

  forgetCalls(): Promise<unknown> {
    return this.admin("DELETE", "/admin/calls");
  }

  reset(): Promise<unknown> {
    return this.admin("POST", "/admin/reset");
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Edits the rules as the cloud currently has them, because their `times` count down there. */
  #editRules(edit: (current: FaultRule[]) => FaultRule[]): Promise<void> {
    const edited = this.#rules.then(async () => {
      const current = await this.admin<Faults>("GET", "/admin/faults");
      await this.admin("PUT", "/admin/faults", { ...current, rules: edit(current.rules ?? []) });
    });
    this.#rules = edited.catch(() => undefined);
    return edited;
  }

  /** Makes a call that any client may make, such as a user's out-of-band change. */
  v1<T>(method: Method, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${this.ready.token}` };
    return this.#send(method, base(this.ready.endpoint, "/v1") + path, { headers, body });
  }

  admin<T>(method: Method, path: string, body?: object): Promise<T> {
    return this.#send(method, base(this.ready.admin, "/admin") + path, { headers: {}, body });
  }

  async #send<T>(
    method: Method,
    url: string,
    { headers, body }: { headers: Record<string, string>; body: object | undefined },
  ): Promise<T> {
    const answer = await request(url, {
      dispatcher: this.#agent,
      method,
      headers: { ...headers, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

function identity({ times: _, ...rule }: FaultRule): string {
  return JSON.stringify(Object.entries(rule).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function base(url: string, suffix: string): string {
  const trimmed = url.replace(/\/$/, "");
  return trimmed.endsWith(suffix) ? trimmed.slice(0, -suffix.length) : trimmed;
}

function defined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
