import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "./lib/project.mjs";
import {
  CHART,
  helm,
  including,
  isThere,
  type Manifest,
  NEEDED,
  type PodSpec,
  render,
} from "./testing/rendered-chart.ts";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { plainManifests } from "./write-plain-manifests.mjs";

// `npm test` builds it before running any tests, if Go is installed.
describe.skipIf(!isThere)("the Helm chart", () => {
  it("passes helm lint", () => {
    expect(helm("lint", NEEDED, "--strict").stdout).toContain("0 chart(s) failed");
  });

  it("has the versions of the product", () => {
    const { version } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
    const chart = parse(readFileSync(join(CHART, "Chart.yaml"), "utf8"));
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it("sends traces to the given collector, and nowhere by default", () => {
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

  it("its controllers start without a pod network and cluster DNS", () => {
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

  it("uses the API server's address", () => {
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

  it("all of its pods are read-only, and only the controllers' can reach the API server", () => {
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

  it("with an external database it creates none, and every login comes from the Secret's key", () => {
    const secret = { name: "ledger-app", ownerKey: "owner", controllerKey: "controller" };
    const objects = render(including({ database: { mode: "secret", secret } }));
    expect(objects.map(({ metadata }) => metadata.name)).not.toContain("cloudwright-database");
    const text = JSON.stringify(podOf(objects, "cloudwright-controller"));
    expect(text).toContain('"secretKeyRef":{"name":"ledger-app","key":"controller"}');
  });

  it("reaches a database whose Secret names a Service at that Service's address, before there is a cluster DNS", () => {
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

  it("lets the dashboard's users sign in at an OpenID provider, whose secret is a file from a Secret", () => {
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

  it("without a database there is neither a dashboard nor a migration", () => {
    const names = render(NEEDED).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).not.toContain("Deployment cloudwright-dashboard");
    expect(names).not.toContain("Job cloudwright-migrate");
  });

  it("includes its alerts and its dashboard unchanged, if requested", () => {
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
    // If this fails after a change of the chart, run `node scripts/write-plain-manifests.mjs`.
    const file = inProject("deploy", "kubernetes", "cloudwright.yaml");
    expect(readFileSync(file, "utf8")).toBe(plainManifests());
  });
});

function podOf(objects: readonly Manifest[], name: string): PodSpec {
  const found = objects.find(
    ({ metadata, spec }) => metadata.name === name && spec?.template !== undefined,
  );
  if (found?.spec?.template === undefined) throw new Error(`nothing is called ${name}`);
  return found.spec.template.spec;
}
