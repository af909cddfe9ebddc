import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCluster } from "../conformance/clusters/open.ts";
import { type ClusterSide, DEFAULT_FLAGS } from "../conformance/environment/scenario.ts";
import { type Flags, type RunningController, startController } from "../harness/controller.ts";
import { Kube, type KubeEvent, type Node, View } from "../harness/kube.ts";
import { SERVICES, type Service } from "../harness/service.ts";
import { type FaultProxy, openFaultProxy } from "./fault-proxy.ts";
import type { Lab } from "./lab.ts";
import { openProject, type Project } from "./project.ts";
import { Servers } from "./servers.ts";

/** One thing that has to hold against the real services. */
export interface Row {
  /** `O-LB-03`. */
  readonly id: string;
  readonly title: string;
  /** Only in the long form. */
  readonly isLong?: true;
  /** Throws with what was seen instead. */
  run(env: OpenStackEnvironment): Promise<unknown>;
}

export function row(id: string, title: string, run: Row["run"]): Row {
  return { id, title, run };
}

/** A project in the lab, and a way to it on which calls are counted and can meet faults. */
export interface CloudSide {
  readonly lab: Lab;
  readonly project: Project;
  readonly servers: Servers;
  readonly proxy: FaultProxy;
  /** Path of a `cloud.conf` that leads through the proxy. */
  readonly cloudConfig: string;
  /** Where logs and files are kept. */
  readonly dir: string;
  close(): Promise<void>;
}

/** With a cluster in it: a real kube-apiserver, and the controller that joins the two. */
export interface OpenStackEnvironment extends CloudSide, ClusterSide {
  /** The group's own; started with the first row that asks for one. */
  controller(): Promise<RunningController>;
  /** Another in its place, with these flags; the answer puts the usual one back. */
  restart(flags?: Flags): Promise<RunningController>;
  /** Ends it, as an outage would. */
  kill(): Promise<void>;
}

export interface CloudSideOptions {
  /** Of this machine, where the controller reaches the services; loopback if absent. */
  readonly address?: string;
  /** The servers' addresses. */
  readonly cidr?: string;
  /** Where the controller finds the services' authority; in `dir` if absent. */
  readonly caFile?: string;
}

export async function openCloudSide(
  lab: Lab,
  dir: string,
  { address, cidr, caFile = join(dir, "ca.pem") }: CloudSideOptions = {},
): Promise<CloudSide> {
  mkdirSync(dir, { recursive: true });
  const project = await openProject(lab, cidr);
  const proxy = await openFaultProxy(lab.origins, address);
  writeFileSync(join(dir, "ca.pem"), proxy.ca);
  return {
    ...{ lab, project, proxy, dir },
    servers: new Servers(lab, project),
    cloudConfig: writeCloudConfig({ lab, project, proxy, dir }, caFile),
    close: async () => {
      await proxy.close();
      await project.close();
    },
  };
}

export async function openEnvironment(lab: Lab, dir: string): Promise<OpenStackEnvironment> {
  const endings: (() => unknown)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const cloud = await openCloudSide(lab, dir);
    endings.push(() => cloud.close());
    const cluster = await openCluster("testcluster", { dir });
    endings.push(() => cluster.close());
    const kube = new Kube(cluster.kubeconfig);
    endings.push(() => kube.close());
    const nodes = await View.open<Node>(kube, "/api/v1/nodes");
    const events = await View.open<KubeEvent>(kube, "/api/v1/namespaces/default/events");
    const services = await View.open<Service>(kube, SERVICES);
    endings.push(() => [nodes, events, services].map((view) => view.close()));
    const controllers = new Controllers({ ...cloud, kubeconfig: cluster.controllerKubeconfig });
    endings.push(() => controllers.stop());
    return {
      ...{ ...cloud, kube, nodes, events, services, close },
      controller: () => controllers.running(),
      restart: (flags) => controllers.restart(flags),
      kill: () => controllers.kill(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As upstream's manifests start it; the guard as it is by default. All services run beside it, so it asks them less often than the sandbox. */
const FLAGS: Flags = {
  ...DEFAULT_FLAGS,
  "--node-status-update-frequency": "10s",
  "--route-reconciliation-period": "3s",
  "--cloud-provider": "openstack",
  "--cluster-name": "lab",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": "10.120.0.0/16,fd00:120::/48",
  "--node-deletion-guard": undefined,
  "--v": "2",
};

/** One controller at a time. */
class Controllers {
  readonly #options: Pick<CloudSide, "cloudConfig" | "dir"> & { readonly kubeconfig: string };
  #running: Promise<RunningController> | undefined;

  constructor(options: Pick<CloudSide, "cloudConfig" | "dir"> & { readonly kubeconfig: string }) {
    this.#options = options;
  }

  running(): Promise<RunningController> {
    this.#running ??= this.#start({});
    return this.#running;
  }

  async restart(flags: Flags = {}): Promise<RunningController> {
    await this.stop();
    this.#running = this.#start(flags);
    return this.#running;
  }

  async stop(): Promise<void> {
    await (await this.#running)?.stop();
    this.#running = undefined;
  }

  async kill(): Promise<void> {
    await (await this.#running)?.stop("SIGKILL");
    this.#running = undefined;
  }

  #start(flags: Flags): Promise<RunningController> {
    return startController({ ...this.#options, flags: { ...FLAGS, ...flags } });
  }
}

/** As an operator would write it, with everything that the lab has. */
function writeCloudConfig(
  { lab, project, proxy, dir }: Pick<CloudSide, "lab" | "project" | "proxy" | "dir">,
  caFile: string,
): string {
  const path = join(dir, "cloud.conf");
  const text = `[Global]
auth-url=${proxy.authUrl}
${credentialText(project.credential)}
region=${lab.region}
ca-file=${caFile}

[LoadBalancer]
lb-provider=lab
floating-network-id=${lab.ids.public_network_id}
subnet-id=${project.subnetId}

[Route]
router-id=${project.routerId}
`;
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function credentialText({ id, secret }: Project["credential"]): string {
  return `application-credential-id=${id}\napplication-credential-secret=${secret}`;
}

/** The same configuration with another credential in the place of the former one. */
export function replaceCredential(
  { cloudConfig }: Pick<CloudSide, "cloudConfig">,
  former: Project["credential"],
  next: Project["credential"],
): void {
  const text = readFileSync(cloudConfig, "utf8");
  writeFileSync(cloudConfig, text.replace(credentialText(former), credentialText(next)));
}
