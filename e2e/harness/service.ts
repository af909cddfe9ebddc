import type { Kube, KubeObject } from "./kube.ts";

export interface ServicePort {
  name?: string;
  protocol?: string;
  port: number;
  nodePort?: number;
  targetPort?: number | string;
  appProtocol?: string;
}

export interface Ingress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: { port: number; protocol: string }[];
}

export interface Service extends KubeObject {
  spec: {
    type: string;
    ports: ServicePort[];
    loadBalancerClass?: string;
    healthCheckNodePort?: number;
    ipFamilies?: string[];
  };
  status: {
    loadBalancer?: { ingress?: Ingress[] };
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
  };
}

/** The path of the suites' Services. */
export const SERVICES = "/api/v1/namespaces/default/services";

/** Deletes a Service and removes its finalizers, even if their work is not done. */
export async function dropService(kube: Kube, name: string): Promise<void> {
  const path = `${SERVICES}/${name}`;
  await kube.delete(path).catch(() => undefined);
  const free = { metadata: { finalizers: null } };
  await kube.patch(path, "merge", free).catch(() => undefined);
}
