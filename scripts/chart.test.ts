import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { whereHelmIs } from "./helm.mjs";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "./lib/project.mjs";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { plainManifests } from "./write-plain-manifests.mjs";

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Record<string, string>;
  };
  readonly rules?: readonly Rule[];
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

interface Rule {
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly priorityClassName?: string;
  readonly affinity?: object;
  readonly automountServiceAccountToken?: boolean;
  readonly tolerations?: readonly { readonly key: string; readonly effect: string }[];
  readonly containers: readonly {
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
  }[];
}

const CHART: string = inProject("deploy", "chart");
const { path: HELM, isThere } = whereHelmIs() as { path: string; isThere: boolean };
/** What a release cannot do without. */
const NEEDED = {
  cloud: { provider: "sandbox" },
  controller: { flags: { "cluster-cidr": "10.1.0.0/16" } },
};

// Built by `npm test` before anything is tested, where there is a Go.
describe.skipIf(!isThere)("the Helm chart", () => {
  it("passes helm lint", () => {
    expect(helm("lint", NEEDED, "--strict").stdout).toContain("0 chart(s) failed");
  });

  it("has the versions of the product", () => {
    const { version } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
    const chart = parse(readFileSync(join(CHART, "Chart.yaml"), "utf8"));
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it("grants what deploy/rbac grants for the controllers that are on by default", () => {
    const parts = [
      "process",
      "events",
      "leader-election",
      "control-record",
      "https-authentication",
    ];
    const work = [
      "https-authorization",
      "node",
      "node-lifecycle",
      "service-cache",
      "service",
      "route",
    ];
    const shipped = shippedRules([...parts, ...work]);
    const leases = shipped.get("Role cloudwright:leader-election")?.flatMap(namesOf);
    expect(new Set(leases)).toContain("cloud-controller-manager");
    const granted = rulesOf(render(NEEDED));
    expect([...granted.keys()].sort()).toEqual([...shipped.keys()].sort());
    for (const [role, rules] of shipped)
      if (!role.endsWith("leader-election")) expect(granted.get(role)).toEqual(rules);
  });

  it("sends traces to the collector that is named, and none otherwise", () => {
    const controller = (values: object) =>
      render(values)
        .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
        .find(({ args }) => args?.[0] === "controller");
    expect(controller(NEEDED)?.args?.join(" ")).not.toContain("tracing");
    const env = [{ name: "OTEL_EXPORTER_OTLP_HEADERS", value: "x-tenant=blue" }];
    const traced = controller(including({ tracing: { endpoint: "http://collector:4318", env } }));
    expect(traced?.args).toContain("--tracing-endpoint=http://collector:4318");
    expect(traced?.args).toContain("--tracing-sampling-rate-per-million=1000000");
    expect(traced?.env).toContainEqual(env[0]);
  });

  it("lets the controller read Events of others for a ledger, unless it shall not", () => {
    const database = { mode: "trial" };
    const watchedBy = (values: Readonly<Record<string, object>>) => {
      const objects = render(including(values));
      const controller = objects
        .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
        .find(({ args }) => args?.[0] === "controller");
      const granted = [...rulesOf(objects)].filter(([name]) => name.endsWith("watched-events"));
      expect(controller?.args?.includes("--watch-events")).toBe(granted.length === 1);
      return granted.flatMap(([, rules]) => rules.map(({ verbs }) => verbs));
    };
    expect(watchedBy({ database })).toEqual([["list", "watch"]]);
    expect(watchedBy({ database, controller: { watchEvents: false } })).toEqual([]);
    expect(watchedBy({})).toEqual([]);
  });

  it("grants the one Lease that is held", () => {
    const names = (flags: object) =>
      rulesOf(render(including({ controller: { flags } })))
        .get("Role cloudwright:leader-election")
        ?.flatMap(namesOf);
    expect(new Set(names({}))).toEqual(new Set(["cloud-controller-manager"]));
    expect(new Set(names({ "dry-run": true }))).toEqual(new Set(["cloudwright-shadow"]));
    expect(new Set(names({ "enable-leader-migration": true }))).toEqual(
      new Set(["cloud-controller-manager", "cloud-provider-extraction-migration"]),
    );
  });

  it.each([
    [["cloud-node-controller"], ["services", "persistentvolumes"]],
    [["*", "-service"], ["services"]],
    [["volume"], ["services", "nodes/status"]],
  ])("with the controllers %j it grants nothing on %j", (controllers, resources) => {
    const rules = [...rulesOf(render(including({ controller: { controllers } }))).values()].flat();
    const granted = new Set(rules.flatMap((rule) => rule.resources ?? []));
    for (const resource of resources) expect(granted).not.toContain(resource);
    expect(granted).toContain("leases");
  });

  it("a dry run writes nothing but its Lease", () => {
    const rules = rulesOf(render(including({ controller: { flags: { "dry-run": true } } })));
    const writes = [...rules.values()]
      .flat()
      .filter(({ verbs }) => verbs.some((verb) => !["get", "list", "watch"].includes(verb)))
      .flatMap((rule) => rule.resources ?? []);
    expect(new Set(writes)).toEqual(new Set(["leases", "tokenreviews", "subjectaccessreviews"]));
  });

  it("with an account for each controller the process keeps no right to write nodes or Services", () => {
    const controllers = ["*", "volume"];
    const objects = render(
      including({ controller: { controllers, useServiceAccountCredentials: true } }),
    );
    const rules = rulesOf(objects);
    expect(rules.has("ClusterRole cloudwright:node")).toBe(false);
    expect(rules.has("ClusterRole cloudwright:service")).toBe(false);
    const identities = rules.get("Role cloudwright:controller-identities")?.flatMap(namesOf);
    expect(new Set(identities)).toEqual(
      new Set(["node-controller", "service-controller", "route-controller", "volume-controller"]),
    );
    const names = objects.map(({ metadata }) => metadata.name);
    expect(names).toContain("cloudwright:volume-controller:volume");
  });

  it("its controllers start where there is neither pod network nor cluster DNS", () => {
    const spec = podOf(
      render(including({ database: { mode: "trial" } })),
      "cloudwright-controller",
    );
    expect(spec).toMatchObject({
      hostNetwork: true,
      dnsPolicy: "Default",
      priorityClassName: "system-cluster-critical",
    });
    const keys = spec.tolerations?.map(({ key }) => key);
    expect(keys).toEqual(
      expect.arrayContaining([
        "node.cloudprovider.kubernetes.io/uninitialized",
        "node.kubernetes.io/not-ready",
        "node-role.kubernetes.io/control-plane",
      ]),
    );
    const url = spec.containers[0]?.env?.find(({ name }) => name === "DATABASE_URL")?.value;
    expect(url).toContain("@$(CLOUDWRIGHT_DATABASE_SERVICE_HOST):5432/");
  });

  it("takes the API server by address", () => {
    const given = including({ apiServer: { host: "192.0.2.1", port: 6443 } });
    const [container] = podOf(render(given), "cloudwright-controller").containers;
    expect(container?.env).toEqual(
      expect.arrayContaining([
        { name: "KUBERNETES_SERVICE_HOST", value: "192.0.2.1" },
        { name: "KUBERNETES_SERVICE_PORT", value: "6443" },
      ]),
    );
  });

  it("writes flags as upstream's manifests have them", () => {
    const flags = { "kube-api-qps": 2_000_000, "cluster-cidr": ["10.1.0.0/16", "fd00::/48"] };
    const [container] = podOf(
      render(including({ controller: { flags } })),
      "cloudwright-controller",
    ).containers;
    expect(container?.args).toEqual(
      expect.arrayContaining(["--kube-api-qps=2000000", "--cluster-cidr=10.1.0.0/16,fd00::/48"]),
    );
  });

  it("every pod of it is read-only and none but the controllers' sees the API server", () => {
    const objects = render(including({ database: { mode: "trial" } }));
    const pods = objects.flatMap(({ spec, metadata }) =>
      spec?.template === undefined ? [] : [{ name: metadata.name, ...spec.template.spec }],
    );
    for (const { containers } of pods)
      for (const { securityContext } of containers)
        expect(securityContext.readOnlyRootFilesystem).toBe(true);
    const seeing = pods.filter(
      ({ automountServiceAccountToken }) => automountServiceAccountToken !== false,
    );
    expect(seeing.map(({ name }) => name).sort()).toEqual([
      "cloudwright-controller",
      "cloudwright-uninstall-post-delete",
      "cloudwright-uninstall-pre-delete",
    ]);
  });

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

  it("goes without a ledger for now if that is said, whatever is prepared for it", () => {
    const secret = { name: "ledger-app" };
    const dashboard = { ingress: { enabled: true, host: "a.example.org" } };
    const objects = render(including({ database: { mode: "none", secret }, dashboard }));
    expect(objects.map(({ kind }) => kind)).not.toContain("Ingress");
  });

  it("knows every value by its schema, and misses those that are taken away", () => {
    const schema = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8"));
    const values = parse(readFileSync(join(CHART, "values.yaml"), "utf8"));
    expect(withoutRequired(schema, values, "")).toEqual([]);
  });

  it("with a database of another's it makes none, and every login is from the Secret's key", () => {
    const secret = { name: "ledger-app", ownerKey: "owner", controllerKey: "controller" };
    const objects = render(including({ database: { mode: "secret", secret } }));
    expect(objects.map(({ metadata }) => metadata.name)).not.toContain("cloudwright-database");
    const text = JSON.stringify(podOf(objects, "cloudwright-controller"));
    expect(text).toContain('"secretKeyRef":{"name":"ledger-app","key":"controller"}');
  });

  it("reaches a database that its Secret names by a Service by that Service's address, before there is a cluster DNS", () => {
    const secret = { name: "ledger-app", service: "ledger-rw" };
    const objects = render(including({ database: { mode: "secret", secret } }));
    const urlOf = (name: string) =>
      objects
        .find(({ kind, metadata }) => kind === "Deployment" && metadata.name === name)
        ?.spec?.template?.spec.containers[0]?.env?.find((each) => each.name === "DATABASE_URL");
    expect(urlOf("cloudwright-controller")).toEqual({
      name: "DATABASE_URL",
      value: "$(DATABASE_URI)?host=$(LEDGER_RW_SERVICE_HOST)",
    });
    expect(urlOf("cloudwright-dashboard")).not.toHaveProperty("value");
  });

  it("has the dashboard's users sign in at an OpenID provider, whose secret is a file from a Secret", () => {
    const oidc = {
      ...{ issuer: "https://id.example.org:8443/realms/ops", clientId: "cloudwright" },
      ...{ clientSecret: "oidc-client", caConfigMap: "id-ca", name: "Keycloak" },
      roles: { admin: ["platform"], viewer: ["cn=all,dc=example", "guests"] },
      clusters: { "team-a": ["prod-eu", "prod-us"], platform: ["*"] },
    };
    const dashboard = { publicUrl: "https://cw.example.org", localSignIn: false, oidc };
    const objects = render(including({ database: { mode: "trial" }, dashboard }));
    const pod = podOf(objects, "cloudwright-dashboard");
    expect(pod.containers[0]?.args).toEqual(
      expect.arrayContaining([
        "--local-sign-in=off",
        "--oidc-issuer=https://id.example.org:8443/realms/ops",
        "--oidc-client-id=cloudwright",
        "--oidc-client-secret-file=/etc/cloudwright/oidc/client-secret",
        "--oidc-name=Keycloak",
        "--oidc-scopes=openid profile email",
        "--oidc-groups-claim=groups",
        "--oidc-roles=platform=admin;cn=all,dc=example=viewer;guests=viewer",
        "--oidc-clusters=platform=*;team-a=prod-eu,prod-us",
      ]),
    );
    expect(pod.containers[0]?.env).toContainEqual({
      name: "NODE_EXTRA_CA_CERTS",
      value: "/etc/cloudwright/oidc-ca/ca.crt",
    });
    const text = JSON.stringify(objects);
    expect(text).toContain('"secretName":"oidc-client"');
    expect(text).toContain('{"ports":[{"port":8443,"protocol":"TCP"}]}');
    const without = JSON.stringify(render(including({ database: { mode: "trial" } })));
    expect(without).not.toContain("oidc");
  });

  it.each<[string, object, { budget: boolean; spread: object | undefined }]>([
    ["one dashboard", {}, { budget: false, spread: undefined }],
    [
      "two dashboards",
      { replicas: 2 },
      { budget: true, spread: { podAntiAffinity: expect.anything() } },
    ],
    [
      "two with rules of the operator's",
      { replicas: 2, disruptionBudget: false, affinity: { nodeAffinity: {} } },
      { budget: false, spread: { nodeAffinity: {} } },
    ],
  ])(
    "%s: kept apart and not evicted together where there are several",
    (_, dashboard, expected) => {
      const objects = render(including({ database: { mode: "trial" }, dashboard }));
      const budgets = objects.filter(({ kind }) => kind === "PodDisruptionBudget");
      expect(budgets.some(({ metadata }) => metadata.name === "cloudwright-dashboard")).toBe(
        expected.budget,
      );
      expect(podOf(objects, "cloudwright-dashboard").affinity).toEqual(expected.spread);
    },
  );

  it("without a database there is neither dashboard nor migration", () => {
    const names = render(NEEDED).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).not.toContain("Deployment cloudwright-dashboard");
    expect(names).not.toContain("Job cloudwright-migrate");
  });

  it("brings its alerts and its board as they are, where they are asked for", () => {
    const values = including({
      prometheusRule: { enabled: true },
      grafanaBoard: { enabled: true },
    });
    const objects = render(values) as readonly (Manifest & { data?: Record<string, string> })[];
    const rule = objects.find(({ kind }) => kind === "PrometheusRule");
    const alerts = readFileSync(join(CHART, "files", "alerts.yaml"), "utf8");
    expect(rule?.spec).toEqual(parse(alerts));
    const board = objects.find(({ data }) => data?.["cloudwright.json"] !== undefined);
    const text = readFileSync(join(CHART, "files", "board.json"), "utf8");
    expect(JSON.parse(board?.data?.["cloudwright.json"] ?? "")).toEqual(JSON.parse(text));
    expect(render(NEEDED).map(({ kind }) => kind)).not.toContain("PrometheusRule");
  });

  it("deploy/kubernetes is what the chart renders", () => {
    // Differs after a change of the chart: run `node scripts/write-plain-manifests.mjs`.
    const file = inProject("deploy", "kubernetes", "cloudwright.yaml");
    expect(readFileSync(file, "utf8")).toBe(plainManifests());
  });
});

function helm(command: string, values: object, ...more: readonly string[]) {
  const args = [command, CHART, "--namespace", "cloudwright", "-f", "-", ...more];
  return spawnSync(HELM, args, { encoding: "utf8", input: JSON.stringify(values) });
}

/** Every object of a release called cloudwright, hooks included. */
function render(values: object): readonly Manifest[] {
  const args = ["template", "cloudwright", CHART, "--namespace", "cloudwright", "-f", "-"];
  const text = execFileSync(HELM, args, { encoding: "utf8", input: JSON.stringify(values) });
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The paths of values that the schema does not demand; a value that is null by default may be missing. */
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

type Values = Readonly<Record<string, object>>;

/** What a release needs, and these; objects are merged two levels deep. */
function including(values: Values): Values {
  const merged: Record<string, object> = { ...NEEDED };
  for (const [name, value] of Object.entries(values)) {
    const base: Readonly<Record<string, unknown>> = { ...merged[name] };
    const flags = { ...(base.flags as object), ...(value as { flags?: object }).flags };
    merged[name] = { ...base, ...value, ...(name === "controller" ? { flags } : {}) };
  }
  return merged;
}

/** By kind and name, those of hooks aside. */
function rulesOf(objects: readonly Manifest[]): ReadonlyMap<string, readonly Rule[]> {
  return new Map(
    objects
      .filter(({ kind, metadata }) => /Role$/.test(kind) && metadata.annotations === undefined)
      .map(({ kind, metadata, rules }) => [`${kind} ${metadata.name}`, rules ?? []]),
  );
}

function shippedRules(parts: readonly string[]): ReadonlyMap<string, readonly Rule[]> {
  const folder: string = inProject("deploy", "rbac");
  const files = readdirSync(folder).filter((file) => parts.includes(basename(file, ".yaml")));
  const objects = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8")).map(
      (document) => document.toJS() as Manifest,
    ),
  );
  return rulesOf(objects);
}

function namesOf({ resourceNames = [] }: Rule): readonly string[] {
  return resourceNames;
}

function podOf(objects: readonly Manifest[], name: string): PodSpec {
  const found = objects.find(
    ({ metadata, spec }) => metadata.name === name && spec?.template !== undefined,
  );
  if (found?.spec?.template === undefined) throw new Error(`nothing is called ${name}`);
  return found.spec.template.spec;
}
