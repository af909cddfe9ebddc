import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadBalancers } from "@cloudwright/core/provider/load-balancers";
import type { Provider } from "@cloudwright/core/provider/provider";
import { type RunningCloud, startCloud } from "@cloudwright/sandbox/cloud/start-cloud";
import { request } from "undici";
import { z } from "zod";
import { plugin } from "../src/plugin.ts";

const madeSchema = z.looseObject({ id: z.string() });
const listSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
export type Made = z.infer<typeof madeSchema>;

/** A sandbox cloud of a test's own, the provider on it, and what a person may do to it behind the provider's back. */
export class BalancerCloud {
  readonly cloud: RunningCloud;
  readonly provider: Provider;
  readonly #dir: string;

  private constructor(cloud: RunningCloud, provider: Provider, dir: string) {
    this.cloud = cloud;
    this.provider = provider;
    this.#dir = dir;
  }

  static async open(): Promise<BalancerCloud> {
    const dir = await mkdtemp(join(tmpdir(), "cloudwright-balancers-"));
    const cloud = await startCloud({ listen: "127.0.0.1:0", stateFile: join(dir, "cloud") });
    const text = `endpoint: ${cloud.endpoint}\ntoken: ${cloud.token}\n`;
    const provider = await plugin.create({ text, path: undefined, userAgent: "test" });
    return new BalancerCloud(cloud, provider, dir);
  }

  get loadBalancers(): LoadBalancers {
    const { loadBalancers } = this.provider;
    if (loadBalancers === undefined) throw new Error("the provider has no load balancers");
    return loadBalancers;
  }

  async close(): Promise<void> {
    await this.provider.close?.();
    await this.cloud.close();
    await rm(this.#dir, { recursive: true, force: true });
  }

  async reset(): Promise<void> {
    await this.send("POST", "/admin/reset");
    await this.send("DELETE", "/admin/next-load-balancer");
  }

  async faults(faults: object): Promise<void> {
    await this.send("PUT", "/admin/faults", faults);
  }

  async makeInstance(name: string): Promise<string> {
    return madeSchema.parse(await this.send("POST", "/v1/instances", { name })).id;
  }

  async makeBalancer(body: object): Promise<string> {
    return madeSchema.parse(await this.send("POST", "/v1/load-balancers", body)).id;
  }

  async balancers(): Promise<readonly Made[]> {
    return listSchema.parse(await this.send("GET", "/admin/load-balancers")).items;
  }

  async rules(): Promise<readonly Made[]> {
    return listSchema.parse(await this.send("GET", "/v1/firewall-rules")).items;
  }

  /** A path below `/admin` goes without the token. */
  async send(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
  ): Promise<unknown> {
    const base = path.startsWith("/admin") ? this.cloud.admin : this.cloud.endpoint;
    const answer = await request(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.cloud.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) {
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    }
    return text === "" ? undefined : JSON.parse(text);
  }
}
