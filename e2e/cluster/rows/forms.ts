import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { rowsOf } from "../../harness/database.ts";
import type { KubeObject } from "../../harness/kube.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type ClusterEnvironment, NAMESPACE, RELEASE, type Row } from "../environment.ts";
import { changesOf, ownerUrl } from "../ledger.ts";
import { demandReady, leaderPod, podsOf } from "../pods.ts";
import { makeVolumes, STORAGE_CLASS } from "../volumes.ts";
import { answersStill, replaced, upgrade } from "./upgrade.ts";
import { addressOf } from "./work.ts";

const ACCOUNT = `system:serviceaccount:${NAMESPACE}:cloud-controller-manager`;
const WRITES = [
  ["patch", "services/status"],
  ["patch", "nodes"],
  ["delete", "nodes"],
] as const;

const SHADOWED = "shadowed";

/** Other forms of the installation, each an upgrade of the one before; the last row leaves it as it was installed. */
export const formRows: readonly Row[] = [
  {
    id: "I-20",
    title: "doctor in a controller's pod, with the controller's flags and login, finds no problem",
    run: examine,
  },
  {
    id: "I-21",
    title:
      "with --use-service-account-credentials a Service gets its address, though the process's own account may write none",
    run: async (env) => {
      await become(env, "--set", "controller.useServiceAccountCredentials=true");
      for (const [verb, resource] of WRITES) {
        const may = env.kubectl("auth", "can-i", verb, resource, "--as", ACCOUNT);
        const answer = await may.catch(() => "no");
        same(answer.trim(), "no", `whether the process's account may ${verb} ${resource}`);
      }
      return published(env, "by-identity");
    },
  },
  {
    id: "I-22",
    title: "as a DaemonSet it has one replica on each node, and the load balancers go on",
    run: async (env) => {
      await become(env, "--set", "controller.kind=DaemonSet");
      same(await controllersOf(env, "deployments"), [], "the Deployments of the controller");
      const placed = new Set((await podsOf(env, "controller")).map(({ spec }) => spec.nodeName));
      same(placed.size, env.status.nodes.length, "the number of nodes with a replica");
      await answersStill(env);
      return published(env, "by-daemon-set");
    },
  },
  {
    id: "I-23",
    title:
      "as a StatefulSet with the spool on volumes it loses no record with a deleted pod while the database is away",
    run: keepsRecords,
  },
  {
    id: "I-24",
    title:
      "without a database and a dashboard it works, and a pod's successor has what the pod wrote",
    run: worksHeadless,
  },
  {
    id: "I-25",
    title:
      "with a database whose Secret names it by its Service, as CloudNativePG's does, controllers reach it without DNS, and bring what waited",
    run: writesToOwnDatabase,
  },
  {
    id: "I-26",
    title: "with --dry-run it writes what it would do to the ledger, and nothing to a Service",
    run: async (env) => {
      await become(env, "--set", "controller.flags.dry-run=true,controller.securePort=10358");
      await createService(env, SHADOWED);
      const sql = "SELECT FROM shadow_plans WHERE object_name = $1 AND change_count > 0";
      await eventually(
        async () => {
          const plans = await rowsOf(await ownerUrl(env), sql, [SHADOWED]);
          demand(plans.length > 0, `no plan of ${SHADOWED} is in the ledger`);
        },
        { withinMs: 120_000 },
      );
      const { metadata, status } = await env.kube.get<Service>(`${SERVICES}/${SHADOWED}`);
      same(metadata.finalizers, undefined, "its finalizers");
      same(status.loadBalancer, {}, "its load balancer");
      await answersStill(env);
      return undefined;
    },
  },
  {
    id: "I-27",
    title: "back in the form of the installation it does that, with the ledger that it had",
    run: async (env) => {
      await become(env);
      await eventually(() => demandReady(env, "dashboard", 1), { withinMs: 180_000 });
      demand((await changesOf(env, "recorded")) > 0, "the ledger has not what was recorded");
      await untilAddress(env, SHADOWED);
      await env.kubectl("delete", "service", SHADOWED, "--timeout=60s");
      await answersStill(env);
      return undefined;
    },
  },
];

const diagnosisSchema = z.object({
  findings: z.array(z.object({ topic: z.string(), verdict: z.string(), says: z.string() })),
});

async function examine(env: ClusterEnvironment): Promise<string> {
  const pod = await leaderPod(env);
  const [, ...flags] = pod.spec.containers.find(({ name }) => name === "controller")?.args ?? [];
  const doctor = env.kubectlServing(
    ...["-n", NAMESPACE, "exec", pod.metadata.name, "-c", "controller", "--"],
    ...["cloudwright", "doctor", ...flags, "--output=json"],
  );
  await doctor.ended;
  const [json] = /^\{.*^\}/ms.exec(doctor.output()) ?? [];
  demand(json !== undefined, `it printed ${doctor.output()}`);
  const { findings } = diagnosisSchema.parse(JSON.parse(json));
  const of = (verdict: string) => findings.filter((each) => each.verdict === verdict);
  same(of("problem").map(textOf), [], "its problems");
  same(of("warning").map(textOf), [], "its warnings");
  return `${of("ok").length} in order; not examined: ${of("unknown").map(textOf).join(" ")}`;
}

function textOf({ topic, says }: { readonly topic: string; readonly says: string }): string {
  return `${topic}: ${says}`;
}

/** An upgrade to the values of the installation with these besides. */
async function become(env: ClusterEnvironment, ...values: readonly string[]): Promise<void> {
  await replaced(env, () => upgrade(env, ...values, "--timeout", "5m"));
}

async function controllersOf({ kube }: ClusterEnvironment, kind: string): Promise<string[]> {
  const { items } = await kube.list<KubeObject>(`/apis/apps/v1/namespaces/${NAMESPACE}/${kind}`);
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name === `${RELEASE}-controller`);
}

/** How long it took until a Service of this name had an address; the Service is gone again. */
async function published(env: ClusterEnvironment, name: string): Promise<string> {
  const took = await publish(env, name);
  await env.kubectl("delete", "service", name, "--timeout=60s");
  return `an address after ${took} ms`;
}

async function publish(env: ClusterEnvironment, name: string): Promise<number> {
  const began = Date.now();
  await createService(env, name);
  await untilAddress(env, name);
  return Date.now() - began;
}

function createService({ kube }: ClusterEnvironment, name: string): Promise<object> {
  const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
  return kube.create(SERVICES, {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name }, spec },
  });
}

async function untilAddress({ kube }: ClusterEnvironment, name: string): Promise<void> {
  await eventually(
    async () => {
      const found = await kube.get<Service>(`${SERVICES}/${name}`);
      demand(addressOf(found) !== undefined, `${name} has no address`);
    },
    { withinMs: 60_000 },
  );
}

async function keepsRecords(env: ClusterEnvironment): Promise<string> {
  const nodes = env.status.nodes.map(({ name }) => name);
  await makeVolumes(env, { folder: "spool", nodes });
  const spool = `controller.spool.type=persistentVolumeClaim,controller.spool.storageClassName=${STORAGE_CLASS}`;
  await become(env, "--set", `controller.kind=StatefulSet,${spool}`);
  await scaleDatabase(env, 0);
  await publish(env, "recorded");
  const pod = await leaderPod(env);
  await deletePod(env, pod.metadata.name);
  await scaleDatabase(env, 1);
  await eventually(
    async () => demand((await changesOf(env, "recorded")) > 0, "its run is not in the ledger"),
    { withinMs: 120_000 },
  );
  await env.kubectl("delete", "service", "recorded", "--timeout=60s");
  return `by ${pod.metadata.name}, which was deleted`;
}

async function scaleDatabase(env: ClusterEnvironment, replicas: number): Promise<void> {
  const scale = ["scale", `statefulset/${RELEASE}-database`, `--replicas=${replicas}`];
  await env.kubectl("-n", NAMESPACE, ...scale);
  await eventually(() => demandReady(env, "database", replicas), { withinMs: 120_000 });
}

/** Without a word to its process; waits for its successor. */
async function deletePod(env: ClusterEnvironment, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}?gracePeriodSeconds=0`;
  await env.kube.delete(path);
  await eventually(() => demandReady(env, "controller", env.status.nodes.length), {
    withinMs: 120_000,
  });
}

async function worksHeadless(env: ClusterEnvironment): Promise<string> {
  await become(env, "--set", "database.mode=none");
  await eventually(async () => {
    for (const component of ["database", "dashboard"] as const)
      same((await podsOf(env, component)).length, 0, `the number of pods of the ${component}`);
  });
  await publish(env, "headless");
  const pod = await leaderPod(env);
  await deletePod(env, pod.metadata.name);
  const found = (await podsOf(env, "controller")).find(
    ({ spec }) => spec.nodeName === pod.spec.nodeName,
  );
  const history = await env.kubectl(
    ...["-n", NAMESPACE, "exec", found?.metadata.name ?? "", "-c", "controller", "--"],
    ...["cloudwright", "history", "--spool", "/var/lib/cloudwright", "--object", "headless"],
  );
  demand(/changed/.test(history), `the history of its successor is ${history}`);
  await env.kubectl("delete", "service", "headless", "--timeout=60s");
  return `${found?.metadata.name} has the records of ${pod.metadata.name}`;
}

/** Until the ledger has what was done while there was none. */
async function writesToOwnDatabase(env: ClusterEnvironment): Promise<string> {
  const url = await makeDatabase(env);
  const secret = "name=ledger-app,service=ledger-rw,ownerKey=by-address,dashboardKey=by-address";
  const values = secret.split(",").map((each) => `database.secret.${each}`);
  await become(env, "--set", ["database.mode=secret", ...values].join(","));
  const sql = "SELECT FROM runs WHERE object_name = 'headless' AND outcome = 'changed'";
  await eventually(async () => demand((await rowsOf(url, sql)).length > 0, "no run waited"), {
    withinMs: 120_000,
  });
  await eventually(() => demandReady(env, "dashboard", 1), { withinMs: 120_000 });
  return published(env, "by-secret");
}

/** As an operator of databases makes it: a Service, and a Secret whose connection string names it. Answers one by address. */
async function makeDatabase(env: ClusterEnvironment): Promise<string> {
  const password = randomBytes(16).toString("hex");
  const apply = async (name: string, ...objects: readonly object[]) => {
    const file = join(env.dir, `${name}.yaml`);
    writeFileSync(file, objects.map((each) => stringify(each)).join("---\n"), { mode: 0o600 });
    await env.kubectl("-n", NAMESPACE, "apply", "-f", file);
  };
  await apply("ledger", databasePod(env.databaseImage, password), DATABASE_SERVICE);
  const path = `/api/v1/namespaces/${NAMESPACE}/services/ledger-rw`;
  const { spec } = await env.kube.get<KubeObject & { spec: { clusterIP: string } }>(path);
  const at = (host: string) => `postgresql://app:${password}@${host}:5432/app`;
  await apply("ledger-app", {
    ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "ledger-app" } },
    stringData: { uri: at(`ledger-rw.${NAMESPACE}`), "by-address": at(spec.clusterIP) },
  });
  await eventually(() => rowsOf(at(spec.clusterIP), "SELECT"), { withinMs: 120_000 });
  return at(spec.clusterIP);
}

const DATABASE_LABELS = { app: "ledger" };
const DATABASE_SERVICE = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "ledger-rw" },
  spec: { selector: DATABASE_LABELS, ports: [{ port: 5_432 }] },
};

function databasePod(image: string, password: string): object {
  const env = { POSTGRES_USER: "app", POSTGRES_DB: "app", POSTGRES_PASSWORD: password };
  const folders = { data: "/var/lib/postgresql/data", tmp: "/tmp" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "ledger-1", labels: DATABASE_LABELS },
    spec: {
      securityContext: { runAsUser: 65_532, fsGroup: 65_532 },
      containers: [
        {
          name: "postgres",
          image,
          env: Object.entries(env).map(([name, value]) => ({ name, value })),
          volumeMounts: Object.entries(folders).map(([name, mountPath]) => ({ name, mountPath })),
        },
      ],
      volumes: Object.keys(folders).map((name) => ({ name, emptyDir: {} })),
    },
  };
}
