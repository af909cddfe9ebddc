import {
  always,
  anything,
  type Infer,
  integer,
  list,
  nullable,
  struct,
  text,
  time,
} from "../schema/schema.ts";
import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { defineResource } from "./define-resource.ts";
import { objectMeta } from "./metadata.ts";

/**
 * Pods as far as `kubectl describe node` and a demo need them: nothing runs them. Unknown fields are stored unchanged within containers,
 * and dropped elsewhere.
 */
const podSchema = struct("Pod", {
  metadata: always(objectMeta),
  spec: always(
    struct("PodSpec", {
      nodeName: text,
      serviceAccountName: text,
      restartPolicy: text,
      terminationGracePeriodSeconds: nullable(integer),
      containers: list(anything, { key: "name" }),
      initContainers: list(anything, { key: "name" }),
      tolerations: list(anything),
      volumes: list(anything, { key: "name" }),
      hostNetwork: anything,
      nodeSelector: anything,
      affinity: anything,
      priorityClassName: text,
    }),
  ),
  status: always(
    struct("PodStatus", {
      phase: text,
      podIP: text,
      podIPs: list(anything),
      hostIP: text,
      hostIPs: list(anything),
      startTime: time,
      reason: text,
      message: text,
      conditions: list(anything, { key: "type" }),
      containerStatuses: list(struct("ContainerStatus", containerStatus())),
    }),
  ),
});

type Pod = Infer<typeof podSchema>;

export const pods = defineResource(
  {
    group: "",
    version: "v1",
    kind: "Pod",
    plural: "pods",
    shortNames: ["po"],
    categories: ["all"],
    namespaced: true,
    hasStatus: true,
    returnsDeleted: true,
  },
  {
    schema: podSchema,
    rules: {
      onCreate: (pod) => ({ ...pod, status: { phase: "Pending" } }),
      fields: {
        "spec.nodeName": (pod) => pod.spec.nodeName ?? "",
        "status.phase": (pod) => pod.status.phase ?? "",
        "status.podIP": (pod) => pod.status.podIP ?? "",
      },
      columns: [
        nameColumn,
        ["Ready", "Ready containers out of all.", readyCell],
        ["Status", "What the pod is doing.", (pod) => pod.status.reason ?? pod.status.phase ?? ""],
        ["Restarts", "How often its containers restarted.", restarts],
        ageColumn,
        ["IP", "The pod's address.", (pod) => pod.status.podIP ?? "<none>", "wide"],
        ["Node", "Where the pod runs.", (pod) => pod.spec.nodeName ?? "<none>", "wide"],
      ],
    },
  },
);

function containerStatus() {
  return {
    name: always(text),
    ready: anything,
    restartCount: integer,
    state: anything,
    lastState: anything,
    image: text,
    imageID: text,
    containerID: text,
    started: anything,
  };
}

function readyCell(pod: Pod): string {
  const ready = (pod.status.containerStatuses ?? []).filter((status) => status.ready === true);
  return `${ready.length}/${(pod.spec.containers ?? []).length}`;
}

function restarts(pod: Pod): string {
  const statuses = pod.status.containerStatuses ?? [];
  return String(statuses.reduce((sum, status) => sum + (status.restartCount ?? 0), 0));
}
