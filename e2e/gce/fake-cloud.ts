import { request } from "undici";
import { z } from "zod";

const named = z.object({ name: z.string() });
const stateSchema = z.object({
  routes: listOf(named.extend({ destRange: z.string(), nextHopInstance: z.string() })),
  forwardingRules: listOf(
    named.extend({ IPAddress: z.string(), portRange: z.string().default("") }),
  ),
  targetPools: listOf(named.extend({ instances: listOf(z.string()) })),
  firewalls: listOf(named),
});
export type GceState = z.output<typeof stateSchema>;

/** Go writes a list without entries as null. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

/** The fake of Google's API in the provider's own process, as its users change it and look at it. */
export class FakeGce {
  readonly #origin: string;

  constructor(port: number) {
    this.#origin = `http://127.0.0.1:${port}`;
  }

  async launch(name: string, address: string): Promise<void> {
    await this.#ask("PUT", `/instances/${name}?address=${address}`);
  }

  async terminate(name: string): Promise<void> {
    await this.#ask("DELETE", `/instances/${name}`);
  }

  async state(): Promise<GceState> {
    return stateSchema.parse(JSON.parse(await this.#ask("GET", "/state")));
  }

  async #ask(method: "GET" | "PUT" | "DELETE", path: string): Promise<string> {
    const answer = await request(`${this.#origin}${path}`, { method });
    const text = await answer.body.text();
    if (answer.statusCode < 300) return text;
    throw new Error(`the fake answers ${method} ${path} with ${answer.statusCode}: ${text}`);
  }
}
