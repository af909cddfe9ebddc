import type { ControllerModule, Watch } from "@cloudwright/core/controllers/controller-module";
import {
  activeHoldOf,
  holdAnnotations,
  NO_HOLD_ANNOTATIONS,
} from "@cloudwright/core/controllers/hold/hold";
import { planHeld, planRequested } from "@cloudwright/core/controllers/hold/plan-held";
import {
  annotationOf,
  labelsOf,
  nameOf,
  uidOf,
  valueAt,
} from "@cloudwright/core/controllers/objects/object-meta";
import { createObjectView } from "@cloudwright/core/controllers/objects/written-objects";
import type { KubeClient, KubeObject } from "@cloudwright/core/kube/client";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import type { Change, Plan } from "@cloudwright/core/model/plan";
import type { Reason } from "@cloudwright/core/model/reason";
import type { Reconciler, RunContext } from "@cloudwright/core/reconcile/reconciler";

const NAME = "namespace-label-controller";
const KIND = "Namespace";
/** The annotation and the label with the same value. */
const TEAM = "example.com/team";
const WRITTEN = "namespace_label_writes_total";

const NAMESPACES: Watch = {
  resource: { group: "", version: "v1", plural: "namespaces", namespaced: false },
};

/** Labels each Namespace with the team in its annotation. */
export const namespaceLabelModule: ControllerModule<object> = {
  name: NAME,
  needs: {},
  watches: [NAMESPACES],
  actions: { [KIND]: ["hold", "release"] },
  permissions: {
    part: "namespace-label",
    work: [grant("patch")],
    cache: { of: "Namespaces", grants: [grant("list", "watch")] },
  },
  metrics: [{ name: WRITTEN, help: "Labels written to Namespaces.", type: "counter" }],
  start: ({ informerOf }, run) => {
    const informer = informerOf(NAMESPACES);
    return run({
      kind: KIND,
      concurrency: 1,
      build: ({ client, queue }) => ({
        reconciler: createReconciler(client, informer),
        feed: () => {
          void informer.synced.then(() => {
            for (const known of informer.list())
              queue.add(nameOf(known), { kind: "start" }, "change");
          });
          return informer.subscribe(({ object }) => {
            queue.add(nameOf(object), { kind: "change", what: "labels" }, "change");
          });
        },
        present: () => informer.list().map(nameOf),
      }),
    });
  },
};

function grant(...verbs: readonly string[]) {
  return { group: "", resource: "namespaces", verbs, without: "Namespaces get no team" };
}

function createReconciler(
  client: KubeClient,
  informer: Pick<Informer<KubeObject>, "get">,
): Reconciler<Observed, Change, undefined, KubeObject> {
  const view = createObjectView<KubeObject>({
    informer,
    keyOf: nameOf,
    refOf,
    unknown: (name) => ({ kind: KIND, name }),
  });
  return {
    noMemory: undefined,
    object: view.object,
    observe: (key, { requested }) => {
      const namespace = view.get(key);
      return Promise.resolve(namespace && { namespace, requested });
    },
    plan: planNamespace,
    apply: async ({ after }, { namespace }, run) => {
      const target = { resource: NAMESPACES.resource, name: nameOf(namespace) };
      const body = { metadata: { ...(after as object) } };
      const written = await client.patch<KubeObject>(target, { kind: "merge", body }, run.kube);
      view.wrote(written);
      return written;
    },
    conclude: ({ observed, plan, result }) => ({
      memory: undefined,
      effects: result.written.map(() => ({ kind: "metric", name: WRITTEN, value: 1 })),
      view: {
        name: nameOf(observed.namespace),
        uid: uidOf(observed.namespace),
        drift: plan.changes.length > result.applied ? "drifted" : "inStep",
      },
    }),
  };
}

interface Observed extends Pick<RunContext, "requested"> {
  readonly namespace: KubeObject;
}

function planNamespace({ namespace, requested }: Observed, _memory: unknown, nowMs: number): Plan {
  const hold = activeHoldOf(namespace, nowMs);
  return planRequested(
    requested,
    {
      object: namespace,
      name: "the namespace",
      unasked: hold === undefined ? planTeam(namespace) : planHeld(namespace, hold, nowMs),
      hold: (until, reason) => [
        annotationsWrite(namespace, holdAnnotations(until, reason), reason),
      ],
      release: (_hold, reason) => annotationsWrite(namespace, NO_HOLD_ANNOTATIONS, reason),
    },
    nowMs,
  );
}

function annotationsWrite(
  namespace: KubeObject,
  annotations: Readonly<Record<string, string | null>>,
  reason: Reason,
): Change {
  return {
    kind: "namespace.annotations.write",
    system: "cluster",
    target: refOf(namespace),
    before: {},
    after: { annotations },
    reason,
  };
}

function refOf(namespace: KubeObject) {
  return { kind: KIND, name: nameOf(namespace), uid: uidOf(namespace) };
}

function planTeam(namespace: KubeObject): Plan {
  const team = annotationOf(namespace, TEAM);
  const labelled = valueAt(labelsOf(namespace), TEAM);
  const name = "NamespaceLabelled";
  const reason: Reason = { code: "Other", name, text: `Its team is ${team ?? "nobody"}` };
  const change: Change = {
    kind: "namespace.labels.write",
    system: "cluster",
    target: refOf(namespace),
    before: { labels: { [TEAM]: labelled } },
    after: { labels: { [TEAM]: team ?? null } },
    reason,
  };
  const changes = team === undefined || team === labelled ? [] : [change];
  return { changes, notTaken: [], next: { kind: "settled", reason } };
}
