import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultProxy, openFaultProxy } from "./fault-proxy.ts";
import type { Lab } from "./lab.ts";
import { openProject, type Project } from "./project.ts";

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
export interface OpenStackEnvironment {
  readonly lab: Lab;
  readonly project: Project;
  readonly proxy: FaultProxy;
  /** Path of a `cloud.conf` that leads through the proxy. */
  readonly cloudConfig: string;
  /** Where logs and files are kept. */
  readonly dir: string;
  close(): Promise<void>;
}

export async function openEnvironment(lab: Lab, dir: string): Promise<OpenStackEnvironment> {
  mkdirSync(dir, { recursive: true });
  const project = await openProject(lab);
  const proxy = await openFaultProxy(lab.origins);
  return {
    ...{ lab, project, proxy, dir },
    cloudConfig: writeCloudConfig({ lab, project, proxy, dir }),
    close: async () => {
      await proxy.close();
      await project.close();
    },
  };
}

/** As an operator would write it, with everything that the lab has. */
function writeCloudConfig(env: Omit<OpenStackEnvironment, "cloudConfig" | "close">): string {
  const { lab, project, proxy, dir } = env;
  const ca = join(dir, "ca.pem");
  writeFileSync(ca, proxy.ca);
  const path = join(dir, "cloud.conf");
  const text = `[Global]
auth-url=${proxy.authUrl}
application-credential-id=${project.credential.id}
application-credential-secret=${project.credential.secret}
region=${lab.region}
ca-file=${ca}

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
