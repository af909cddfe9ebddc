import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grantCluster, grantRoles, openRoleLogins } from "@cloudwright/store/roles/role-logins";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { startTestServer } from "../../../packages/store/testing/database-fixture.ts";
import { cloudwrightProgram } from "./program.ts";
import {
  type ServedCloud,
  type ServedCluster,
  ServingCommands,
  writeCloudConfig,
} from "./sandbox-cluster.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const commands = new ServingCommands();
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

let program: string;
let folder: string;
let cluster: ServedCluster;
let cloud: ServedCloud;

beforeAll(async () => {
  program = await cloudwrightProgram();
  folder = mkdtempSync(join(tmpdir(), "cloudwright-doctor-"));
  [cloud, cluster] = await Promise.all([
    commands.cloud(folder),
    commands.cluster(folder, "--rbac"),
  ]);
  await commands.send("POST", {
    url: `${cloud.endpoint}/v1/instances`,
    token: cloud.token,
    body: { name: "w-1" },
  });
  await addNode("w-1", { taints: [{ key: UNINITIALIZED, effect: "NoSchedule" }] });
}, 60_000);

afterAll(async () => {
  await commands.end();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function addNode(name: string, spec: object): Promise<void> {
  const url = `${cluster.server}/api/v1/nodes`;
  await commands.send("POST", { url, token: cluster.token, body: { metadata: { name }, spec } });
}

const diagnosisSchema = z.object({
  exitCode: z.number(),
  findings: z.array(
    z.object({
      topic: z.string(),
      verdict: z.string(),
      says: z.string(),
      advice: z.string().optional(),
    }),
  ),
});

/** Returns doctor's findings with these flags, one per line, without those of a healthy cluster and without what is in order. */
async function doctor(...flags: readonly string[]) {
  return await doctorIn({}, ...flags);
}

/** Does the same with these environment variables. */
async function doctorIn(variables: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const { code, output, errors } = await run(
    [
      ...["--cloud-provider=sandbox", `--cloud-config=${join(folder, "cloud.yaml")}`],
      ...[`--kubeconfig=${join(folder, "kubeconfig")}`, "--cluster-cidr=10.244.0.0/16"],
      ...["-o", "json", ...flags],
    ],
    variables,
  );
  expect(errors).not.toContain("MaxListeners");
  const { exitCode, findings } = diagnosisSchema.parse(JSON.parse(output));
  expect(code).toBe(exitCode);
  expect(
    findings.filter(({ verdict, advice }) => verdict !== "ok" && advice === undefined),
  ).toEqual([]);
  return { code, findings };
}

function run(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [program, "doctor", ...args],
      { cwd: ROOT, env: { ...process.env, DATABASE_URL: "", ...variables } },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        done({ code, output: stdout, errors: stderr });
      },
    );
  });
}

function saying(findings: Awaited<ReturnType<typeof doctor>>["findings"], verdict: string) {
  return findings
    .filter((each) => each.verdict === verdict)
    .map(({ topic, says }) => `${topic}: ${says}`);
}

it("finds no problem in a healthy cluster, and changes nothing in it", async () => {
  const nodes = () =>
    commands.send("GET", { url: `${cluster.server}/api/v1/nodes`, token: cluster.token });
  const before = await nodes();
  const { code, findings } = await doctor();
  expect(saying(findings, "problem")).toEqual([]);
  const fine = saying(findings, "ok").join("\n");
  for (const says of [
    /cluster: The API server at https:.* answers: Kubernetes v1/,
    /cluster: This machine's clock agrees/,
    /cluster: Nobody holds the Lease kube-system\/cloud-controller-manager/,
    /permissions: Whoever runs this command has (\d+) of the \1 rights/,
    /nodes: The node w-1 is waiting to be initialised/,
    /cloud: sandbox knows the machines of 1 of 1 nodes/,
    /cloud: Load balancers can be listed/,
    /cloud: Routes can be listed/,
    /takeover: The first pass would make \d+ changes? to/,
  ]) {
    expect(fine).toMatch(says);
  }
  // An API server answers a kind that it does not serve, here Deployments, with 404 and no reason.
  expect(saying(findings, "unknown").join("\n")).not.toContain("could not be listed");
  // There is no ledger, and the sandbox has no pods from which to read flags.
  expect(saying(findings, "warning")).toEqual([expect.stringMatching(/^database: No ledger/)]);
  expect(code).toBe(2);
  expect(await nodes()).toEqual(before);
});

it("prints text for reading", async () => {
  const { output } = await run([
    ...["--cloud-provider=sandbox", `--cloud-config=${join(folder, "cloud.yaml")}`],
    ...[`--kubeconfig=${join(folder, "kubeconfig")}`, "--cluster-cidr=10.244.0.0/16"],
  ]);
  expect(output).toMatch(/^Cluster at https:\/\/.*, provider sandbox, /);
  expect(output).toMatch(/\n\nPermissions\n {2}ok {7}Whoever runs/);
  expect(output).toMatch(/\n1 warning, \d+ not examined, \d+ in order\.\n$/);
});

it("reports rejected cloud credentials, and examines the rest", async () => {
  writeCloudConfig(join(folder, "bad.yaml"), {
    endpoint: cloud.endpoint,
    token: "sesame-of-nobody",
  });
  const { code, findings } = await doctor(`--cloud-config=${join(folder, "bad.yaml")}`);
  expect(code).toBe(1);
  const problems = saying(findings, "problem").join("\n");
  expect(problems).toMatch(
    /cloud: (Machines|Load balancers|Routes) could not be read from sandbox/,
  );
  expect(problems).not.toContain("sesame");
  expect(problems.match(/takeover: Node w-1 could not be planned/g)).toHaveLength(1);
  expect(saying(findings, "ok").join("\n")).not.toContain("takeover: The first pass");
  expect(saying(findings, "ok").join("\n")).toMatch(/cluster: The API server at/);
});

it("reports a cluster that does not respond, and still examines the cloud", async () => {
  const { code, findings } = await doctor("--kubeconfig=", "--master=https://127.0.0.1:1");
  expect(code).toBe(1);
  expect(saying(findings, "problem").join("\n")).toMatch(
    /cluster: The API server at https:\/\/127\.0\.0\.1:1 does not answer/,
  );
  expect(saying(findings, "ok").join("\n")).toMatch(/cloud: The configuration of the provider/);
  expect(saying(findings, "unknown").join("\n")).toMatch(
    /cloud: Machines were not looked up, because the nodes are unknown\.\n.*cloud: Load balancers/,
  );
  const advices = findings.map(({ advice }) => advice);
  expect(advices).not.toContain("Grant get on the namespace kube-system.");
  expect(advices).not.toContain("Run doctor again once a node has registered.");
});

it("reads the ledger's address from the environment, as the controller does", async () => {
  const says = async (url: string) =>
    saying((await doctorIn({ DATABASE_URL: url })).findings, "problem").join("\n");
  expect(await says("postgresql://nobody@127.0.0.1:1/none")).toMatch(
    /database: The database does not answer/,
  );
  expect(await says("ledger")).toMatch(/database: DATABASE_URL is not the address of a PostgreSQL/);
});

it("reports a cloud that does not respond, with advice where to look", async () => {
  writeCloudConfig(join(folder, "away.yaml"), { endpoint: "http://127.0.0.1:1", token: "any" });
  const { findings } = await doctor(`--cloud-config=${join(folder, "away.yaml")}`);
  const unread = findings.filter(({ says }) => says.includes("could not be read from sandbox"));
  expect(unread.map(({ advice }) => advice)).toEqual(
    ["Machines", "Load balancers", "Routes"].map(
      () => "Check that the cloud answers at the addresses in --cloud-config, from this machine.",
    ),
  );
});

it("names each right that a service account lacks", async () => {
  const { code, findings } = await doctor("--service-account=kube-system/nobody-knows");
  expect(code).toBe(1);
  const problems = saying(findings, "problem");
  expect(problems.join("\n")).toMatch(
    /permissions: The service account kube-system\/nobody-knows may not patch nodes/,
  );
  expect(problems.every((each) => each.startsWith("permissions: "))).toBe(true);
});

it("names pod ranges that overlap Services', a node that no controller initialises, and a database that does not respond", async () => {
  await addNode("odd", { podCIDR: "10.244.7.0/24", podCIDRs: ["10.244.7.0/24"] });
  const { code, findings } = await doctor(
    ...["--service-cluster-ip-range=10.244.0.0/20"],
    ...["--database-url=postgresql://nobody@127.0.0.1:1/none", `--spool-dir=${folder}`],
  );
  expect(code).toBe(1);
  const problems = saying(findings, "problem").join("\n");
  expect(problems).toMatch(/ranges: --cluster-cidr .* overlaps --service-cluster-ip-range/);
  expect(problems).toMatch(/nodes: .* the node odd: there is neither a provider ID nor the taint/);
  expect(problems).toMatch(/database: The database does not answer/);
});

it("names a database login that may not record for this cluster, until it is granted the cluster", async () => {
  const server = await startTestServer({ ownServer: true });
  try {
    const owner = await server.migrated();
    await grantRoles(owner);
    const { controller } = await openRoleLogins(owner);
    await grantCluster(owner, { cluster: "another" });
    const ledger = [`--database-url=${controller}`, `--spool-dir=${folder}`];
    const ofLedger = async (verdict: string) =>
      saying((await doctor(...ledger)).findings, verdict).filter((one) =>
        one.startsWith("database"),
      );
    const [refused = "", ...more] = await ofLedger("problem");
    expect(more).toEqual([]);
    const [, uid = ""] =
      /login cloudwright_controller may not record for this cluster \((.+?)\)/.exec(refused) ?? [];
    await grantCluster(owner, { cluster: uid });
    expect(await ofLedger("problem")).toEqual([]);
    expect(await ofLedger("ok")).toContainEqual(
      expect.stringMatching(/may record for this cluster/),
    );
  } finally {
    await server.dispose();
  }
});

it.each([
  [
    ["--service-account=nobody"],
    /--service-account is "nobody": it must be a namespace and a name/,
  ],
  [["--output=xml"], /--output is "xml"/],
  [["--cluster-cidr=10.0.0.0"], /--cluster-cidr/],
])("refuses %j in one sentence", async (flags, says) => {
  const { code, errors } = await run(["--cloud-provider=sandbox", ...flags]);
  expect(code).toBe(1);
  expect(errors).toMatch(says);
});

it("examines more nodes than the default limit of listeners on a signal without a warning", async () => {
  for (let number = 1; number <= 12; number += 1) {
    await addNode(`many-${number}`, { providerID: `sandbox://i-many-${number}` });
  }
  const { findings } = await doctor();
  expect(saying(findings, "warning").join("\n")).toMatch(/cloud: sandbox shows no machine for/);
});
