import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { type ClusterEnvironment, labFolder } from "./environment.ts";

/** Of volumes that an operator has made by hand, as the lab has no storage driver. */
export const STORAGE_CLASS = "local";

/** One volume on each of these nodes, in this folder of it. */
export async function makeVolumes(
  env: ClusterEnvironment,
  { folder, nodes }: { readonly folder: string; readonly nodes: readonly string[] },
): Promise<void> {
  const storageClass = {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: STORAGE_CLASS },
    provisioner: "kubernetes.io/no-provisioner",
    volumeBindingMode: "WaitForFirstConsumer",
  };
  const volumes = nodes.map((node) => {
    // A node's /var is a folder of the lab's.
    mkdirSync(join(labFolder(env.dir), node, "var/lib", folder), { recursive: true });
    return volume({ name: `${folder}-${node}`, path: `/var/lib/${folder}`, node });
  });
  const file = join(env.dir, "volumes.yaml");
  writeFileSync(file, [storageClass, ...volumes].map((each) => stringify(each)).join("---\n"));
  await env.kubectl("apply", "-f", file);
}

interface Placed {
  readonly name: string;
  readonly path: string;
  readonly node: string;
}

function volume({ name, path, node }: Placed): object {
  const isNode = { key: "kubernetes.io/hostname", operator: "In", values: [node] };
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "2Gi" },
      accessModes: ["ReadWriteOnce"],
      storageClassName: STORAGE_CLASS,
      local: { path },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [isNode] }] } },
    },
  };
}
