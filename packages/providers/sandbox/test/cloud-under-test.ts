import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadBalancers, Provider, Routes, Volumes } from "@cloudwright/provider-api";
import { type RunningCloud, startCloud } from "@cloudwright/sandbox/cloud/start-cloud";
import { request } from "undici";
import { z } from "zod";
import { plugin } from "../src/plugin.ts";
import { EndlessProxy, MAX_ANSWER_BYTES } from "./endless-proxy.ts";

const madeSchema = z.looseObject({ id: z.string() });
const listSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
export type Made = z.infer<typeof madeSchema>;

/** A test's own sandbox cloud, its provider, and what a user may do to it without the provider. */
export class CloudUnderTest {
  readonly cloud: RunningCloud;
  readonly provider: Provider;
  readonly proxy: EndlessProxy;
  readonly #dir: string;

  private constructor(
    parts: Pick<CloudUnderTest, "cloud" | "provider" | "proxy"> & { readonly dir: string },
  ) {
    this.cloud = parts.cloud;
    this.provider = parts.provider;
    this.proxy = parts.proxy;
    this.#dir = parts.dir;
  }

  static async open(): Promise<CloudUnderTest> {
    const dir = await mkdtemp(join(tmpdir(), "cloudwright-provider-"));
    const cloud = await startCloud({ listen: "127.0.0.1:0", stateFile: join(dir, "cloud") });
    const proxy = await EndlessProxy.open(cloud.endpoint);
    const text = `endpoint: ${proxy.endpoint}\ntoken: ${cloud.token}\nmaxAnswerBytes: ${MAX_ANSWER_BYTES}\n`;
    const provider = await plugin.create({ text, path: undefined, userAgent: "test" });
    return new CloudUnderTest({ cloud, provider, proxy, dir });
  }

  get loadBalancers(): LoadBalancers {
    const { loadBalancers } = this.provider;
    if (loadBalancers === undefined) throw new Error("the provider has no load balancers");
    return loadBalancers;
  }

  get routes(): Routes {
    const { routes } = this.provider;
    if (routes === undefined) throw new Error("the provider has no routes");
    return routes;
  }

  get volumes(): Volumes {
    const { volumes } = this.provider;
    if (volumes === undefined) throw new Error("the provider has no volumes");
    return volumes;
  }

  async close(): Promise<void> {
    await this.provider.close?.();
    await this.proxy.close();
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

  makeInstance(name: string, more: object = {}): Promise<string> {
    return this.make("/v1/instances", { name, ...more });
  }

  makeLoadBalancer(body: object): Promise<string> {
    return this.make("/v1/load-balancers", body);
  }

  /** Creates an object; returns its id. */
  async make(path: string, body: object): Promise<string> {
    return madeSchema.parse(await this.send("POST", path, body)).id;
  }

  /** Returns a listing of few items. */
  async list(path: string): Promise<readonly Made[]> {
    return listSchema.parse(await this.send("GET", path)).items;
  }

  /** Sets faults; returns a function that removes them. */
  async faulty(faults: object): Promise<() => Promise<void>> {
    await this.faults(faults);
    return () => this.faults({});
  }

  async balancers(): Promise<readonly Made[]> {
    return await this.list("/admin/load-balancers");
  }

  async rules(): Promise<readonly Made[]> {
    return await this.list("/v1/firewall-rules");
  }

  /** Requests below `/admin` are sent without the token. */
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
