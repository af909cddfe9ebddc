import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { endedWithSuite } from "../harness/endings.ts";
import { PROJECT_ROOT, run } from "../harness/processes.ts";
import { messageOf } from "../harness/wait.ts";
import type { Origins } from "./fault-proxy.ts";

/** Real OpenStack services on this machine, as a client of them needs to know them. */
export interface Lab {
  readonly authUrl: string;
  readonly region: string;
  readonly ids: LabIds;
  readonly origins: Origins;
  /** Where the load balancers' back end reads how it is to behave. */
  readonly behaviourFile: string;
  /** `seed-servers` and the like with these arguments. */
  command(name: "seed-servers" | "down" | "up", ...args: readonly string[]): Promise<string>;
  /** The settings of this user, as `OS_` variables. */
  settingsOf(user: "credential" | "password" | "admin"): Promise<Settings>;
  /** Ends the services if they were started here. */
  close(): Promise<void>;
}

export type Settings = Readonly<Record<string, string | undefined>>;

const idsSchema = z.object({
  public_network_id: z.string(),
  image_id: z.string(),
  "flavor_m1.tiny": z.string(),
  "flavor_m1.small": z.string(),
});
/** What the lab made for its users (its README, "What `up` makes"). */
export type LabIds = z.infer<typeof idsSchema>;

/** Where the lab's commands are, or undefined where it is not. */
function labFolder(): string | undefined {
  const folder = process.env.CLOUDWRIGHT_OPENSTACK ?? join(PROJECT_ROOT, "../shared/openstack");
  return existsSync(join(folder, "up")) ? folder : undefined;
}

/** One that runs is used as it is; else it is installed if need be, and started. Throws with why that cannot be. */
export async function openLab(): Promise<Lab> {
  const folder = labFolder();
  if (folder === undefined)
    throw new Error("the OpenStack lab is not here (CLOUDWRIGHT_OPENSTACK names its folder)");
  if (await isUp(folder)) return labIn(folder, async () => {});
  const close = endedWithSuite(() => run(join(folder, "down"), ["--wipe"]));
  try {
    await start(folder);
    return await labIn(folder, close);
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function labIn(folder: string, close: Lab["close"]): Promise<Lab> {
  const settings = await settingsOf(folder, "credential");
  const dir = dirOf();
  const authUrl = needed(settings, "OS_AUTH_URL");
  const ids = idsSchema.parse(JSON.parse(readFileSync(join(dir, "lab.json"), "utf8")));
  const portOf = (service: string, usual: number) =>
    process.env[`OSLAB_PORT_${service}`] ?? String(usual);
  const at = (port: string) => `http://127.0.0.1:${port}`;
  return {
    authUrl,
    ids,
    region: needed(settings, "OS_REGION_NAME"),
    origins: {
      identity: new URL(authUrl).origin,
      compute: at(portOf("NOVA", 18_774)),
      network: at(portOf("NEUTRON", 19_696)),
      "load-balancer": at(portOf("OCTAVIA", 19_876)),
    },
    behaviourFile: join(dir, "octavia/behaviour.json"),
    command: (name, ...args) => run(join(folder, name), args),
    settingsOf: (user) => settingsOf(folder, user),
    close,
  };
}

/** As the lab's own scripts choose it. */
function dirOf(): string {
  const { OSLAB_DIR, XDG_CACHE_HOME, HOME = "/tmp" } = process.env;
  return OSLAB_DIR ?? join(XDG_CACHE_HOME ?? join(HOME, ".cache"), "openstack-lab");
}

async function isUp(folder: string): Promise<boolean> {
  try {
    const { OS_AUTH_URL = "" } = await settingsOf(folder, "credential");
    return (await fetch(OS_AUTH_URL)).ok;
  } catch {
    return false;
  }
}

async function start(folder: string): Promise<void> {
  try {
    await run(join(folder, "up"), []);
  } catch (error) {
    if (!messageOf(error).includes("run ./install first")) throw error;
    if (process.getuid?.() !== 0)
      throw new Error("the OpenStack lab is not installed, which takes root: run its ./install");
    await run(join(folder, "install"), []);
    await run(join(folder, "up"), []);
  }
}

async function settingsOf(folder: string, user: string): Promise<Settings> {
  const lines = (await run(join(folder, "env"), [user])).split("\n");
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

function needed(settings: Settings, name: string): string {
  const value = settings[name];
  if (value === undefined) throw new Error(`the lab's ./env does not print ${name}`);
  return value;
}
