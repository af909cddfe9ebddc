import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { z } from "zod";
import { endedWithSuite } from "../harness/endings.ts";
import { PROJECT_ROOT, run } from "../harness/processes.ts";
import { demand, eventually } from "../harness/wait.ts";

const machineSchema = z.object({
  name: z.string(),
  instanceId: z.string(),
  providerID: z.string(),
});
/** An instance of the cluster, and the name of the Node that its kubelet would register. */
export type Machine = z.infer<typeof machineSchema>;

const snapshotSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
/** By kind and name, without what is random: two clouds with which the same was done are equal. */
export type Snapshot = z.infer<typeof snapshotSchema>;

const sentSchema = z.object({
  recent: z
    .array(z.object({ operation: z.string(), params: z.record(z.string(), z.string()) }))
    .default([]),
});

const callsSchema = z.object({
  total: z.number(),
  writes: z.number(),
  byOperation: z.record(z.string(), z.object({ count: z.number() })),
});
export type Calls = z.infer<typeof callsSchema>;

/** What the lab's proxy does to calls, as its README has it. */
export interface Faults {
  readonly rules?: readonly object[];
  readonly emulate?: Readonly<Record<string, number | string | boolean>>;
}

/** Where the lab's commands are, or undefined where it is not. */
export function labFolder(): string | undefined {
  const folder = process.env.CLOUDWRIGHT_AWS ?? join(PROJECT_ROOT, "../shared/aws");
  return existsSync(join(folder, "up")) ? folder : undefined;
}

/** What takes minutes the first time: the lab's Python environment and upstream's manager. */
export async function prepareLab(folder: string): Promise<void> {
  await run(join(folder, "install"), []);
  await run(join(folder, "build"), []);
}

/** AWS in memory with two clusters in it, on loopback, where calls are counted and can meet faults. */
export class Lab {
  readonly folder: string;
  readonly dir: string;
  machines: readonly Machine[];
  /** As its `env` file has them, but for the endpoint, which `cloud.conf` says. */
  readonly settings: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
  readonly #endpoint: string;
  /** By ARN, which is random, what a snapshot calls it. */
  readonly #certificates = new Map<string, string>();

  static async open(folder: string, nodes: number): Promise<Lab> {
    const dir = mkdtempSync(join(tmpdir(), "cloudwright-aws-lab-"));
    const close = endedWithSuite(async () => {
      await run(join(folder, "down"), [dir, "--purge"]);
      rmSync(dir, { recursive: true, force: true });
    });
    try {
      await run(join(folder, "up"), [dir, "--nodes", String(nodes)]);
      return new Lab(folder, dir, close);
    } catch (error) {
      await close().catch(() => undefined);
      throw error;
    }
  }

  private constructor(folder: string, dir: string, close: () => Promise<void>) {
    const lines = readFileSync(join(dir, "env"), "utf8").matchAll(/^export (\w+)=(.*)$/gm);
    const { AWS_ENDPOINT_URL = "", ...settings } = Object.fromEntries(
      [...lines].map(([, name = "", value = ""]) => [name, value]),
    );
    this.folder = folder;
    this.dir = dir;
    this.settings = settings;
    this.close = close;
    this.#endpoint = AWS_ENDPOINT_URL;
    const nodes: unknown = JSON.parse(readFileSync(join(dir, "nodes.json"), "utf8"));
    this.machines = z.array(machineSchema).parse(nodes);
  }

  get cloudConfig(): string {
    return join(this.dir, "cloud.conf");
  }

  /** Its configuration with a line more in the section `[Global]`. */
  cloudConfigWith(line: string): string {
    const path = join(this.dir, "cloud-changed.conf");
    const text = readFileSync(this.cloudConfig, "utf8");
    writeFileSync(path, text.replace("[Global]\n", `[Global]\n${line}\n`));
    return path;
  }

  async snapshot(): Promise<Snapshot> {
    let text = await run(join(this.folder, "snapshot"), [this.dir]);
    text = text.replaceAll(MANAGED_GROUP, "$1<of its UID>");
    for (const [arn, name] of this.#certificates) text = text.replaceAll(arn, `<${name}>`);
    return snapshotSchema.parse(JSON.parse(text) as unknown);
  }

  async calls(): Promise<Calls> {
    return callsSchema.parse(await this.#admin("GET", "/calls"));
  }

  async forgetCalls(): Promise<void> {
    await this.#admin("DELETE", "/calls");
  }

  /** What was sent with each call of an operation since they were forgotten. */
  async sent(operation: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const { recent } = sentSchema.parse(await this.#admin("GET", "/calls?recent=10000"));
    return recent.filter((call) => call.operation === operation).map(({ params }) => params);
  }

  /** In place of those of before. */
  async faults(wanted: Faults): Promise<void> {
    await this.#admin("PUT", "/faults", wanted);
  }

  /** How many of the calls that a rule is about have met it. */
  async fired(): Promise<number> {
    const schema = z.object({ rules: z.array(z.object({ fired: z.number().default(0) })) });
    const { rules } = schema.parse(await this.#admin("GET", "/faults"));
    return rules.reduce((sum, { fired }) => sum + fired, 0);
  }

  /** As a user does, uncounted. */
  async terminate({ instanceId }: Machine): Promise<void> {
    await this.asUser("TerminateInstances", { "InstanceId.1": instanceId });
  }

  /** A machine more, registered like the others by its place among them, which is answered. */
  async launch(name: string, privateIP: string): Promise<number> {
    const { AWSLAB_PRIVATE_SUBNETS: subnets = "", AWSLAB_CLUSTER: cluster = "" } = this.settings;
    const { AWSLAB_NODE_SECURITY_GROUP: group = "" } = this.settings;
    const [SubnetId = ""] = subnets.split(",");
    const answer = await this.asUser("RunInstances", {
      ...{ ImageId: "ami-12345678", MinCount: "1", MaxCount: "1", InstanceType: "m5.large" },
      ...{ SubnetId, PrivateIpAddress: privateIP, "SecurityGroupId.1": group },
      "TagSpecification.1.ResourceType": "instance",
      "TagSpecification.1.Tag.1.Key": "Name",
      "TagSpecification.1.Tag.1.Value": name,
      "TagSpecification.1.Tag.2.Key": `kubernetes.io/cluster/${cluster}`,
      "TagSpecification.1.Tag.2.Value": "owned",
    });
    const said = (field: string) => new RegExp(`<${field}>([^<]+)`).exec(answer)?.[1] ?? "";
    const [instanceId, zone] = [said("instanceId"), said("availabilityZone")];
    const providerID = `aws:///${zone}/${instanceId}`;
    const machine = { name: said("privateDnsName"), instanceId, providerID, privateIP };
    const path = join(this.dir, "nodes.json");
    const before = z.array(z.unknown()).parse(JSON.parse(readFileSync(path, "utf8")));
    writeFileSync(path, JSON.stringify([...before, machine]));
    this.machines = [...this.machines, machine];
    return this.machines.length - 1;
  }

  /** The ARN of a certificate that a user has asked for. */
  async certificate(name: string): Promise<string> {
    const body = JSON.stringify({ DomainName: `${name}.example.com` });
    const answer = await this.#callAsUser("acm", body, {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "CertificateManager.RequestCertificate",
    });
    const said: unknown = JSON.parse(answer);
    const { CertificateArn: arn } = z.object({ CertificateArn: z.string() }).parse(said);
    this.#certificates.set(arn, `certificate ${name}`);
    return arn;
  }

  /** A call to EC2 as a user makes it, uncounted; answers its XML. */
  asUser(action: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const body = new URLSearchParams({ Action: action, Version: "2016-11-15", ...parameters });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return this.#callAsUser("ec2", body.toString(), headers);
  }

  async #callAsUser(
    service: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const scope = `awslab/20260101/${this.settings.AWS_REGION}/${service}/aws4_request`;
    const answer = await request(this.#endpoint, {
      method: "POST",
      headers: {
        ...headers,
        "x-awslab": "quiet",
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
      },
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${service} answers ${text} to ${body}`);
    return text;
  }

  /** Resolves once nothing was called for a while: whoever works on the cloud is done. */
  async untilQuiet(): Promise<void> {
    let last = -1;
    let since = 0;
    await eventually(
      async () => {
        const { total } = await this.calls();
        if (total !== last) [last, since] = [total, Date.now()];
        demand(Date.now() - since >= QUIET_MS, `the cloud is still called, ${total} times so far`);
      },
      { withinMs: 120_000 },
    );
  }

  async #admin(method: "GET" | "PUT" | "DELETE", path: string, body?: object): Promise<unknown> {
    const text = body === undefined ? null : JSON.stringify(body);
    const answer = await request(`${this.#endpoint}/admin${path}`, { method, body: text });
    const said: unknown = await answer.body.json();
    if (answer.statusCode === 200) return said;
    throw new Error(`${method} ${path} is answered ${JSON.stringify(said)}`);
  }
}

/** The name that the provider gives a group of its own ends with a part of the Service's UID, which is random. */
const MANAGED_GROUP = /(k8s-[a-z0-9]+-[a-z0-9]+-)[0-9a-f]{8,12}\b/g;

/** Longer than either manager pauses within its work, shorter than the time between two looks at the routes. */
const QUIET_MS = 2_500;
