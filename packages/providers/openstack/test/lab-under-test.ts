import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Provider } from "@cloudwright/provider-api";
import type { EndlessFault } from "@cloudwright/provider-api/kit";
import { type CloudSide, openCloudSide } from "../../../../e2e/openstack/environment.ts";
import type { Service, ServiceCall, ServiceRule } from "../../../../e2e/openstack/fault-proxy.ts";
import { type Lab, openLab } from "../../../../e2e/openstack/lab.ts";
import type { Server, Servers } from "../../../../e2e/openstack/servers.ts";
import { createClient, type OpenStackClient } from "../src/api/client.ts";
import { type OpenStackConfig, watchConfig } from "../src/config/config.ts";
import { plugin } from "../src/plugin.ts";

/** The kits take minutes and need a lab, so they only run on request, as by `npm run e2e:openstack`. */
export const isAsked = process.env.OPENSTACK_KITS === "1";

/** The time limits of one case and one answer: all services share one machine with other work. */
export const CASE_MS = 600_000;
export const ANSWER_MS = 120_000;

/** The provider with its own project in the lab's real services, behind the fault proxy. */
export class LabUnderTest {
  readonly env: CloudSide;
  readonly servers: Servers;
  readonly provider: Provider;
  /** For values that the provider does not let its users choose. */
  readonly client: OpenStackClient;
  readonly config: OpenStackConfig;
  readonly #lab: Lab;
  readonly #lifts: (() => void)[] = [];
  /** Spare servers in use by a case. */
  readonly #claimed = new Set<string>();

  private constructor({ env, lab, provider, client, config }: Opened) {
    this.env = env;
    this.provider = provider;
    this.client = client;
    this.config = config;
    this.servers = env.servers;
    this.#lab = lab;
  }

  /** `options`: further lines of cloud.conf's `[LoadBalancer]`. */
  static async open(options: string = ""): Promise<LabUnderTest> {
    const dir = mkdtempSync(join(tmpdir(), "cloudwright-openstack-kit-"));
    const lab = await openLab();
    const env = await openCloudSide(lab, dir);
    const path = env.cloudConfig;
    const text = `${readFileSync(path, "utf8")}\n[LoadBalancer]\n${options}\n`;
    const userAgent = "cloudwright-kit";
    const provider = await plugin.create({ text, path, userAgent });
    const warn = () => undefined;
    const monotonic = () => performance.now();
    const watched = await watchConfig({ text, path, environment: {}, warn }, monotonic);
    const client = createClient({ config: watched, userAgent, monotonic, warn });
    return new LabUnderTest({ env, lab, provider, client, config: watched.atStart });
  }

  /** Removes every fault of a case. */
  lift(): void {
    for (const lift of this.#lifts.splice(0)) lift();
  }

  async close(): Promise<void> {
    await this.provider.close?.();
    await this.client.close();
    await this.env.close();
    rmSync(this.env.dir, { recursive: true, force: true });
    await this.#lab.close();
  }

  /** Returns a server with this name. Creating one takes seconds, so those of earlier cases are reused. */
  async server(name: string): Promise<Server> {
    const all = await this.servers.all();
    const named = all.find((server) => server.name === name);
    if (named !== undefined) return named;
    const spare = all.find(
      ({ id, name: each, status }) =>
        each === SPARE && status === "ACTIVE" && !this.#claimed.has(id),
    );
    if (spare === undefined) return this.servers.create(name);
    // A concurrent caller must not get it as well.
    this.#claimed.add(spare.id);
    await this.servers.rename(spare.id, name);
    return { ...spare, name };
  }

  /** For cases that need an empty project. */
  async removeServers(): Promise<void> {
    await Promise.all((await this.servers.all()).map(({ id }) => this.servers.remove(id)));
  }

  /** Renames servers, so that none has a name of a case. */
  async spareServers(): Promise<void> {
    this.#claimed.clear();
    for (const { id, name } of await this.servers.all())
      if (name !== SPARE) await this.servers.rename(id, SPARE);
  }

  /** Refuses every such request, except logins, until the returned function is called. */
  async refuse(refusal: {
    readonly status: number;
    readonly code: string;
    readonly retryAfter?: number;
  }): Promise<() => Promise<void>> {
    return this.strike({ fits: isNoLogin, strike: () => refusal });
  }

  /** Gives every request except logins this answer until the returned function is called. */
  async answer(fate: { readonly status: number; readonly text: string }) {
    return this.strike({ fits: isNoLogin, strike: () => fate });
  }

  /** Carries out the next such request but loses its answer. */
  async loseNext(fits: (call: ServiceCall) => boolean): Promise<void> {
    this.strike({ times: 1, fits, strike: () => "lose" });
  }

  /** Makes answers endless; requests are still carried out. */
  async answerWithoutEnd(fault: EndlessFault): Promise<() => Promise<void>> {
    if (fault === "huge" || fault === "deep") {
      const instead = () => (fault === "huge" ? HUGE : DEEP);
      return this.strike({ fits: isNoLogin, strike: () => ({ instead }) });
    }
    let pages = 0;
    const first = new Map<string, string>();
    const page = (call: ServiceCall, text: string) => {
      pages += 1;
      return withNext(call, { text, marker: fault === "sameCursor" ? "m" : `m-${pages}` });
    };
    return this.strike({
      fits: (call) => call.method === "GET" && collectionOf(call) !== undefined,
      strike: (call) => {
        const text = first.get(call.route);
        if (call.query.includes("marker=") && text !== undefined)
          return { status: 200, text: page(call, text) };
        return {
          instead: (answer) => {
            first.set(call.route, answer);
            return page(call, answer);
          },
        };
      },
    });
  }

  /** Stays in force until the returned function is called, or until the case ends. */
  strike(rule: ServiceRule): () => Promise<void> {
    const lift = this.env.proxy.rule(rule);
    this.#lifts.push(lift);
    return async () => lift();
  }
}

interface Opened extends Pick<LabUnderTest, "env" | "provider" | "client" | "config"> {
  readonly lab: Lab;
}

const SPARE = "spare";

function isNoLogin({ service }: ServiceCall): boolean {
  return service !== "identity";
}

/** Larger than a provider accepts. */
const HUGE = JSON.stringify({ filler: "x".repeat(64 * 1024 * 1024) });
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

/** Returns the field of a listing's answer that contains the items. */
function collectionOf({ route }: ServiceCall): string | undefined {
  return /\/(servers|ports|loadbalancers|floatingips)(?:\/detail)?$/.exec(route)?.[1];
}

/** Adds a link to a next page. */
function withNext(call: ServiceCall, { text, marker }: { text: string; marker: string }): string {
  const href = `${PREFIX_OF[call.service]}${call.route}?marker=${marker}`;
  const links = { [`${collectionOf(call)}_links`]: [{ rel: "next", href }] };
  return JSON.stringify({ ...(JSON.parse(text) as object), ...links });
}

const PREFIX_OF: Readonly<Record<Service, string>> = {
  identity: "https://cloud/identity",
  compute: "https://cloud/compute",
  network: "https://cloud/network",
  "load-balancer": "https://cloud/load-balancer",
};
