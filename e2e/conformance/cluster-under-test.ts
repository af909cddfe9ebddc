import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kube } from "../harness/kube.ts";
import { cloudwrightServing, PROJECT_ROOT, run } from "../harness/processes.ts";

/** A cluster that the suite may write to, and the two things that the Kubernetes API alone does not offer. */
export interface ClusterUnderTest {
  readonly kind: "sandbox" | "testcluster" | "file";
  readonly kubeconfig: string;
  /** Makes the API refuse some writes until the answer is called. */
  refuse(rule: Refusal): Promise<() => Promise<void>>;
  /** Writes to the API so far that name this object, or undefined where no such record is kept. */
  writes(resource: string, name: string): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface Refusal {
  readonly name: string;
  readonly verb: "DELETE" | "PATCH_STATUS";
  readonly node: string;
  readonly message: string;
}

export async function openCluster(wanted: string, workDir: string): Promise<ClusterUnderTest> {
  if (wanted === "sandbox") return sandboxCluster(workDir);
  if (wanted === "testcluster") return testCluster(workDir);
  if (!existsSync(wanted)) throw new Error(`--cluster ${wanted}: no such kubeconfig file`);
  return policyCluster({
    kind: "file",
    kubeconfig: wanted,
    auditLog: undefined,
    stop: async () => {},
  });
}

/** The folder of the real kube-apiserver's harness, or undefined where there is none. */
export function testclusterFolder(): string | undefined {
  const folder = process.env.CLOUDWRIGHT_TESTCLUSTER ?? join(PROJECT_ROOT, "../shared/testcluster");
  return existsSync(join(folder, "up")) ? folder : undefined;
}

async function sandboxCluster(workDir: string): Promise<ClusterUnderTest> {
  const kubeconfig = join(workDir, "sandbox.kubeconfig");
  const started = await cloudwrightServing<{ admin: string }>(
    [
      "sandbox",
      "cluster",
      "--listen",
      "127.0.0.1:0",
      "--state",
      join(workDir, "cluster"),
      "--kubeconfig",
      kubeconfig,
      "--node-monitor-grace-period",
      "0",
    ],
    { log: join(workDir, "cluster.log") },
  );
  const admin = started.ready.admin.replace(/\/admin\/?$/, "").replace(/\/$/, "");
  let rules: object[] = [];
  const apply = async (next: object[]) => {
    rules = next;
    const answer = await fetch(`${admin}/admin/faults`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rules }),
    });
    if (!answer.ok) throw new Error(`PUT /admin/faults: ${answer.status} ${await answer.text()}`);
  };
  return {
    kind: "sandbox",
    kubeconfig,
    async refuse({ verb, node, message }) {
      const rule = {
        verb: verb === "DELETE" ? "delete" : "patch",
        path: `/api/v1/nodes/${node}${verb === "DELETE" ? "" : "/status"}`,
        status: 422,
        message,
      };
      await apply([...rules, rule]);
      return () => apply(rules.filter((other) => other !== rule));
    },
    async writes(resource, name) {
      const answer = await fetch(`${admin}/admin/requests`);
      const recorded = (await answer.json()) as {
        requests?: RecordedRequest[];
        items?: RecordedRequest[];
      };
      const all = recorded.requests ?? recorded.items ?? (recorded as unknown as RecordedRequest[]);
      return all.filter(
        (request) => request.method !== "GET" && names(request.path, resource, name),
      ).length;
    },
    close: async () => {
      await started.stop();
    },
  };
}

interface RecordedRequest {
  method: string;
  path: string;
}

function names(path: string, resource: string, name: string): boolean {
  return path.split("?")[0]?.includes(`/${resource}/${name}`) ?? false;
}

const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    verbs: [create, update, patch, delete]
    resources: [{ group: "", resources: [nodes, nodes/status] }]
  - level: None
`;

async function testCluster(workDir: string): Promise<ClusterUnderTest> {
  const folder = testclusterFolder();
  if (folder === undefined)
    throw new Error("testcluster is not here: set CLOUDWRIGHT_TESTCLUSTER to its folder");
  const dir = mkdtempSync(join(tmpdir(), "cloudwright-testcluster-"));
  const auditLog = join(dir, "audit.log");
  writeFileSync(join(workDir, "audit-policy.yaml"), AUDIT_POLICY);
  const kubeconfig = (
    await run(join(folder, "up"), [
      dir,
      "--controllers",
      "none",
      "--apiserver-arg",
      `--audit-policy-file=${join(workDir, "audit-policy.yaml")}`,
      "--apiserver-arg",
      `--audit-log-path=${auditLog}`,
    ])
  ).trim();
  const stop = async () => {
    await run(join(folder, "down"), [dir, "--purge"]);
    rmSync(dir, { recursive: true, force: true });
  };
  return policyCluster({ kind: "testcluster", kubeconfig, auditLog, stop });
}

interface PolicyClusterOptions {
  readonly kind: "testcluster" | "file";
  readonly kubeconfig: string;
  readonly auditLog: string | undefined;
  stop(): Promise<void>;
}

/** A real API server: writes are refused by a ValidatingAdmissionPolicy and counted in the audit log. */
function policyCluster({
  kind,
  kubeconfig,
  auditLog,
  stop,
}: PolicyClusterOptions): ClusterUnderTest {
  const kube = new Kube(kubeconfig);
  return {
    kind,
    kubeconfig,
    refuse: (rule) => refuseByPolicy(kube, rule),
    async writes(resource, name) {
      if (auditLog === undefined) return undefined;
      const text = await readFile(auditLog, "utf8").catch(() => "");
      return text
        .split("\n")
        .filter(
          (line) =>
            line.includes(`"requestURI":"/api/v1/${resource}/${name}`) && endsName(line, name),
        ).length;
    },
    close: async () => {
      await kube.close();
      await stop();
    },
  };
}

function endsName(line: string, name: string): boolean {
  const uri = /"requestURI":"([^"?]*)/.exec(line)?.[1] ?? "";
  return uri.split("/").includes(name);
}

async function refuseByPolicy(
  kube: Kube,
  { name, verb, node, message }: Refusal,
): Promise<() => Promise<void>> {
  const api = "/apis/admissionregistration.k8s.io/v1";
  const path = `${api}/validatingadmissionpolicies`;
  const bindings = `${api}/validatingadmissionpolicybindings`;
  const deletion = verb === "DELETE";
  await kube.create(path, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: [deletion ? "DELETE" : "UPDATE"],
            resources: [deletion ? "nodes" : "nodes/status"],
            resourceNames: [node],
          },
        ],
      },
      validations: [{ expression: "false", message }],
    },
  });
  await kube.create(bindings, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  });
  await policyInForce(kube, { verb, node });
  return async () => {
    await kube.delete(`${bindings}/${name}`);
    await kube.delete(`${path}/${name}`);
  };
}

/** Admission policies take a moment to be in force: a write of the refused kind, as a dry run, tells when. */
async function policyInForce(
  kube: Kube,
  { verb, node }: Pick<Refusal, "verb" | "node">,
): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const tried =
      verb === "DELETE"
        ? kube.delete(`/api/v1/nodes/${node}?dryRun=All`)
        : kube.patch(`/api/v1/nodes/${node}/status?dryRun=All`, "merge", {
            metadata: { annotations: {} },
          });
    const refused = await tried.then(
      () => false,
      () => true,
    );
    if (refused) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the admission policy against ${verb} ${node} did not come into force`);
}
