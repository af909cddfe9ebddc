import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { z } from "zod";
import { baselineFolder } from "../bench/baseline.ts";
import { freePort } from "../harness/free-port.ts";
import { run, type Started, start } from "../harness/processes.ts";
import { demand, eventually } from "../harness/wait.ts";

/** Serves the baseline's cloud alone, so that it outlives whoever is killed. */
const MAIN = `package main

import (
	"log"
	"net/http"
	"os"

	"baseline/cloud"
)

func main() {
	log.Fatal(http.ListenAndServe(os.Args[1], cloud.New(cloud.Config{LatencyMS: 10})))
}
`;

const loadBalancerSchema = z.object({
  name: z.string(),
  ip: z.string(),
  ports: textsOrNone(),
  targets: textsOrNone(),
});
/** Go writes a list without entries as null. */
function textsOrNone() {
  return z
    .array(z.string())
    .nullish()
    .transform((texts) => texts ?? []);
}

const routesSchema = z.object({
  routes: z.array(z.object({ cidr: z.string(), node: z.string() })).default([]),
});
const stateSchema = z.object({ loadBalancers: z.number(), routes: z.number() });
const countsSchema = z.record(z.string(), z.object({ ok: z.number().default(0) }));

/** The baseline's cloud in a process of its own, as a user and as the suite see it. */
export class BaselineCloud {
  readonly url: string;
  readonly #process: Started;

  static async open(dir: string): Promise<BaselineCloud> {
    const program = await build(join(dir, "cloud"));
    const address = `127.0.0.1:${await freePort()}`;
    const cloud = new BaselineCloud(`http://${address}`, start(program, [address]));
    await eventually(() => cloud.counts());
    return cloud;
  }

  private constructor(url: string, process: Started) {
    this.url = url;
    this.#process = process;
  }

  async add(prefix: string, first: number, count: number): Promise<void> {
    await this.#send("POST", "/instances", { prefix, first, count });
  }

  async remove(name: string): Promise<void> {
    await this.#send("DELETE", `/instances/${name}`);
  }

  /** The load balancer of the Service with this UID. */
  async loadBalancer(uid: string): Promise<z.infer<typeof loadBalancerSchema> | undefined> {
    const name = `a${uid.replaceAll("-", "")}`.slice(0, 32);
    const answer = await this.#ask("POST", "/v1/lb.get", { name });
    if (answer.status === 404) return undefined;
    return z.object({ loadBalancer: loadBalancerSchema }).parse(answer.body).loadBalancer;
  }

  async routes(): Promise<readonly { readonly cidr: string; readonly node: string }[]> {
    return routesSchema.parse(await this.#send("POST", "/v1/routes.list", {})).routes;
  }

  async state(): Promise<z.infer<typeof stateSchema>> {
    return stateSchema.parse(await this.#send("GET", "/state"));
  }

  /** How many calls of each operation were answered. */
  async counts(): Promise<z.infer<typeof countsSchema>> {
    return countsSchema.parse(await this.#send("GET", "/counters"));
  }

  async close(): Promise<void> {
    await this.#process.stop("SIGKILL");
  }

  async #send(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> {
    const answer = await this.#ask(method, path, body);
    demand(answer.status === 200, `${method} ${path} answers ${answer.status}`);
    return answer.body;
  }

  async #ask(method: "GET" | "POST" | "DELETE", path: string, body?: object) {
    const text = body === undefined ? null : JSON.stringify(body);
    const answer = await request(`${this.url}${path}`, { method, body: text });
    return { status: answer.statusCode, body: (await answer.body.json()) as unknown };
  }
}

async function build(dir: string): Promise<string> {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "main.go"), MAIN);
  const modules = `module cloud\n\ngo 1.26.0\n\nrequire baseline v0.0.0\n\nreplace baseline => ${baselineFolder()}\n`;
  writeFileSync(join(dir, "go.mod"), modules);
  const program = join(dir, "cloud");
  await run("go", ["-C", dir, "build", "-mod=mod", "-o", program, "."]);
  return program;
}
