import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { z } from "zod";
import { type CloudOptions, type RunningCloud, startCloud } from "../start-cloud.ts";

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const madeSchema = z.looseObject({ id: z.string() });
export type Made = z.infer<typeof madeSchema>;

const listSchema = z.object({ items: z.array(madeSchema), next: z.string().nullable() });
export type List = z.infer<typeof listSchema>;

const refusalSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});
export type Refusal = z.infer<typeof refusalSchema>["error"];

/** The answer of `/admin/calls`. */
export const callsSchema = z.object({
  total: z.number(),
  byOperation: z.record(
    z.string(),
    z.object({ count: z.number(), errors: z.number(), throttled: z.number() }),
  ),
  recent: z.array(
    z.object({
      at: z.string(),
      method: z.string(),
      path: z.string(),
      query: z.string(),
      status: z.number(),
      ms: z.number(),
      requestId: z.string(),
    }),
  ),
});

/** A sandbox cloud in a folder of its own, accessed over HTTP. */
export class CloudUnderTest {
  #opened: { readonly folder: string; readonly running: RunningCloud } | undefined;

  /** Uses a new cloud for each test of the file or suite. */
  static forEachTest(): CloudUnderTest {
    const cloud = new CloudUnderTest();
    beforeEach(async () => {
      const folder = await mkdtemp(join(tmpdir(), "sandbox-cloud-"));
      cloud.#opened = { folder, running: await start(folder) };
    });
    afterEach(() => cloud.#close());
    return cloud;
  }

  get stateFile(): string {
    return stateFileIn(this.#now().folder);
  }

  /** `between` runs while no process has the state file. */
  async restart(
    between: () => Promise<void> = async () => undefined,
    options: Partial<CloudOptions> = {},
  ): Promise<void> {
    const { folder, running } = this.#now();
    await running.close();
    await between();
    this.#opened = { folder, running: await start(folder, options) };
  }

  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { status, body } = await this.exchange(method, path, sent);
    return { status, body };
  }

  /** For tests of the answer's headers. */
  async exchange(
    method: string,
    path: string,
    { body, headers, signal }: Sent = {},
  ): Promise<Answer & { readonly headers: Headers }> {
    const { endpoint, token } = this.#now().running;
    const response = await fetch(`${endpoint}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const answer: unknown = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: answer };
  }

  /** Creates something, or gets what the same key created. Throws otherwise. */
  async make(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Made> {
    const answer = await this.call("POST", path, { body, headers });
    if (answer.status >= 300) {
      throw new Error(`POST ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return madeSchema.parse(answer.body);
  }

  async list(path: string): Promise<List> {
    return listSchema.parse((await this.call("GET", path)).body);
  }

  async idsOf(path: string): Promise<string[]> {
    return (await this.list(path)).items.map(({ id }) => id);
  }

  async read(path: string): Promise<Made> {
    return madeSchema.parse((await this.call("GET", path)).body);
  }

  /** Returns the refusal of a call. Throws when the call was not refused. */
  async refusal(method: string, path: string, sent: Sent = {}): Promise<Refusal & Answer> {
    const answer = await this.call(method, path, sent);
    return { ...answer, ...refusalSchema.parse(answer.body).error };
  }

  async faults(body: unknown): Promise<void> {
    const answer = await this.call("PUT", "/admin/faults", { body });
    if (answer.status !== 200) {
      throw new Error(`The faults were refused: ${JSON.stringify(answer.body)}`);
    }
  }

  /** Returns the calls since the cloud started. */
  async log(): Promise<z.infer<typeof callsSchema>> {
    return callsSchema.parse((await this.call("GET", "/admin/calls")).body);
  }

  #now() {
    if (this.#opened === undefined) throw new Error("The cloud is there within a test alone.");
    return this.#opened;
  }

  async #close(): Promise<void> {
    const { folder, running } = this.#now();
    this.#opened = undefined;
    await running.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function start(folder: string, options: Partial<CloudOptions> = {}): Promise<RunningCloud> {
  return startCloud({ listen: "127.0.0.1:0", stateFile: stateFileIn(folder), ...options });
}

function stateFileIn(folder: string): string {
  return join(folder, "state.jsonl");
}
