import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CHART, helm, including, isThere, render } from "./testing/rendered-chart.ts";

// `npm test` builds it before running any tests, if Go is installed.
describe.skipIf(!isThere)("the values of the Helm chart", () => {
  it.each([
    [{ cloud: { provider: "" } }, "cloud.provider is empty"],
    [
      { controller: { flags: { "cluster-cidr": "" } } },
      "set controller.flags.cluster-cidr, or turn it off",
    ],
    [
      { controller: { flags: { "cloud-config": "x" } } },
      "controller.flags.cloud-config cannot be given: set cloud.config.",
    ],
    [{ controller: { controllers: ["*", "-nodes"] } }, "names nodes, which is not a controller"],
    [{ controller: { replica: 3 } }, "additional properties 'replica' not allowed"],
    [{ controller: { kind: "ReplicaSet" } }, "at '/controller/kind': value must be one of"],
    [
      { controller: { spool: { type: "persistentVolumeClaim" } } },
      "set controller.kind to StatefulSet",
    ],
    [{ image: { tag: "latest" } }, "image.tag is latest"],
    [{ apiServer: { host: "https://10.0.0.1" } }, "apiServer.host is a URL"],
    [{ database: { mode: "secret" } }, "database.secret.name is empty"],
    [
      { database: { mode: "trial", trial: { storage: { type: "hostPath" } } } },
      "name that node by database.trial.nodeSelector",
    ],
    [{ database: { mode: "sqlite" } }, "value must be one of '', 'secret', 'trial', 'none'"],
    [
      { dashboard: { ingress: { enabled: true } }, database: { mode: "trial" } },
      "dashboard.ingress.host is empty",
    ],
    [
      { dashboard: { localSignIn: false } },
      "dashboard.oidc.issuer is empty, so nobody could sign in",
    ],
    [{ dashboard: { oidc: { issuer: "https://id" } } }, "dashboard.oidc.clientId is empty"],
    [
      { dashboard: { oidc: { issuer: "https://id", clientId: "c" } } },
      "dashboard.oidc.roles is empty, so nobody could sign in",
    ],
    [
      { dashboard: { oidc: { issuer: "https://id", clientId: "c", roles: { admin: ["a"] } } } },
      "dashboard.oidc.issuer is given, but dashboard.publicUrl is empty",
    ],
    [{ dashboard: { oidc: { roles: { boss: ["a"] } } } }, "additional properties 'boss'"],
    [
      { controller: { flags: { "clustr-name": "x" } } },
      "controller.flags.clustr-name is not a flag of this release: docs/flags.md lists them.",
    ],
    [
      { controller: { flags: { "--cluster-name": "x" } } },
      "controller.flags.--cluster-name is not a flag: write it as cluster-name, without dashes in front.",
    ],
    [
      { controller: { flags: { "cluster-cidr": ["10.1.0.0/16", "fd00::"] } } },
      "controller.flags.cluster-cidr has fd00::, which is not a range: write it as 10.244.0.0/16.",
    ],
    [
      { controller: { flags: { "leader-elect": false } } },
      "controller.flags.leader-elect is false, and there are 2 replicas, which would all write: set controller.replicas to 1",
    ],
    [
      { controller: { kind: "DaemonSet", flags: { "leader-elect": false } } },
      "controller.flags.leader-elect is false, and a DaemonSet has a replica on each node, which would all write",
    ],
    [
      {
        controller: { flags: { "tracing-endpoint": "http://a" } },
        tracing: { endpoint: "http://b" },
      },
      "controller.flags.tracing-endpoint and tracing.endpoint are both given: keep tracing.endpoint.",
    ],
    [
      { apiServer: { host: "192.0.2.1:6443" } },
      "apiServer.host has a port: give it as apiServer.port.",
    ],
    [
      { database: { secret: { name: "ledger-app" } } },
      "database.secret.name is given, but database.mode is empty: set it to secret, or to none to go without a ledger for now.",
    ],
    [
      { database: { mode: "trial", secret: { name: "ledger-app" } } },
      "database.mode is trial, which makes its own database, and database.secret.name is given: set database.mode to secret, or remove the name.",
    ],
    [
      { dashboard: { ingress: { enabled: true, host: "a.example.org" } } },
      "dashboard.ingress is enabled, but there is no dashboard without a ledger: set database.mode",
    ],
    [
      { dashboard: { service: { nodePort: 30_080 } } },
      "dashboard.service.nodePort is given, but dashboard.service.type is ClusterIP: set it to NodePort.",
    ],
    [{ cloud: { existingSecret: "a", config: "b" } }, "are both given: keep one of them."],
    [{ controller: { spool: null } }, "at '/controller': missing property 'spool'"],
  ])("refuses %j and says what to do", (values, sentence) => {
    const { status, stderr } = helm(
      "template",
      including(values),
      "--name-template",
      "cloudwright",
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain(sentence);
  });

  it("works without a ledger for now if requested, even if one is prepared", () => {
    const secret = { name: "ledger-app" };
    const dashboard = { ingress: { enabled: true, host: "a.example.org" } };
    const objects = render(including({ database: { mode: "none", secret }, dashboard }));
    expect(objects.map(({ kind }) => kind)).not.toContain("Ingress");
  });

  it("the schema covers every value, and notices missing ones", () => {
    const schema = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8"));
    const values = parse(readFileSync(join(CHART, "values.yaml"), "utf8"));
    expect(withoutRequired(schema, values, "")).toEqual([]);
  });
});

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Returns the paths of values that the schema does not require; a value that is null by default may be missing. */
function withoutRequired(schema: Schema, values: object, path: string): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === null) return [];
    const below = schema.properties?.[name];
    const missing = schema.required?.includes(name) ? [] : [`${path}.${name}`];
    return below?.properties === undefined
      ? missing
      : [...missing, ...withoutRequired(below, value, `${path}.${name}`)];
  });
}
