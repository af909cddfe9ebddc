import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Flags } from "../../harness/controller.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { isolatedRow, isolatedRows } from "../environment/isolated.ts";
import { leaderAmong } from "../environment/leading.ts";
import { row, rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";

/** From the example DaemonSet in the Kubernetes documentation, with its formatting. */
const DOCUMENTED_FLAGS = {
  "--leader-elect": "true",
  "--use-service-account-credentials": "true",
  "--allocate-node-cidrs": "true",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": "172.17.0.0/16",
};

/** From guides for hardened control planes, formatted by a template that overrides a value by repeating it. */
const HARDENED_FLAGS = {
  "--tls-cipher-suites":
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_RSA_WITH_AES_256_GCM_SHA384,TLS_RSA_WITH_AES_128_GCM_SHA256",
  "--tls-min-version": "VersionTLS12",
  "--feature-gates": "AllBeta=false,",
  "--cluster-cidr": "of-another-manager",
  "--configure-cloud-routes": "false",
  "--profiling": "false",
};

/** Rows P-31 to P-33, P-54: whole command lines as used by operators. */
export const COMMAND_LINES: readonly Scenario[] = [
  ...isolatedRows({
    "P-31 the flags of the documentation's DaemonSet are accepted as they are, and it leads":
      async (env) => {
        const replica = await env.start({ flags: DOCUMENTED_FLAGS });
        await leaderAmong([replica]);
        same((await replica.ask("/healthz"))?.status, 200, "the health");
      },
    "P-54 the flags of a hardened control plane are accepted as they are, and it leads": async (
      env,
    ) => {
      const replica = await env.start({ flags: HARDENED_FLAGS });
      await leaderAmong([replica]);
      same((await replica.ask("/healthz"))?.status, 200, "the health");
    },
  }),
  row("P-32", "all that is wrong with a command line is reported at once", async (env) => {
    const flags = await env.startsAndEnds({
      "--kube-api-qps": "many",
      "--controllers": "*,nothing-like-it",
      "--feature-gates": "NoSuchGate=true",
      "--leader-elect-renew-deadline": "15s",
      "--cluster-cidr": "banana",
      "--tls-min-version": "VersionTLS99",
    });
    same(flags.code, 1, "the exit code");
    reports(flags.output, [
      '--kube-api-qps is "many"',
      '"nothing-like-it"',
      '"NoSuchGate"',
      "--leader-elect-renew-deadline (15s)",
      '"banana"',
      '"VersionTLS99"',
    ]);
    const absent = (name: string) => join(env.dir, `p-32-${name}`);
    const files = await env.startsAndEnds({
      "--cloud-config": absent("cloud.yaml"),
      "--kubeconfig": absent("kubeconfig"),
      "--client-ca-file": absent("ca.crt"),
    });
    same(files.code, 1, "the exit code for files");
    reports(files.output, [absent("cloud.yaml"), absent("kubeconfig"), absent("ca.crt")]);
  }),
  isolatedRow(
    "P-33",
    "profiles and the log's level are there with --profiling alone",
    async (env) => {
      const paths = ["/debug/pprof/", "/debug/pprof/profile", "/debug/pprof/heap"];
      const open = ["/healthz", "/readyz", ...paths].join(",");
      const flags = { "--leader-elect": "false", "--authorization-always-allow-paths": open };
      const profiled = await env.start({ name: "a", flags });
      for (const path of paths.slice(1)) {
        const answer = await eventually(async () => {
          const asked = await profiled.ask(`${path}?seconds=1`);
          same(asked?.status, 200, `the answer to ${path}`);
          return asked?.body ?? "";
        });
        demand(Object.keys(JSON.parse(answer) as object).length > 0, `${path} is empty`);
        demand(!answer.includes(env.cloud.ready.token), `${path} shows the cloud's token`);
      }
      same((await profiled.ask("/debug/flags/v"))?.status, 403, "the answer to anybody");
      const closed = { ...flags, "--profiling": "false" };
      const other = await env.start({ name: "b", flags: closed });
      same((await other.ask("/debug/pprof/profile?seconds=1"))?.status, 404, "without profiling");
    },
  ),
];

function reports(output: string, texts: readonly string[]): void {
  for (const text of texts) demand(output.includes(text), `it does not say "${text}": ${output}`);
  demand(!/^\s+at /m.test(output), `it shows a stack: ${output}`);
}

const TOKEN = "t0ken-that-nobody-sees";

/** Rows B-11 and B-12: mistakes found before anything starts. */
export const WRONG_COMMAND_LINES: readonly Scenario[] = rows({
  "B-11 an unknown flag, and a value of the wrong kind, end with 1 and name the flag": async (
    env,
  ) => {
    await refuses(env, { "--concurent-node-syncs": "3" }, [
      "--concurent-node-syncs",
      "--concurrent-node-syncs",
    ]);
    await refuses(env, { "--no-such-flag": "x" }, ["--no-such-flag"]);
    await refuses(env, { "--node-monitor-period": "soon" }, ["--node-monitor-period", "soon"]);
    const both = { "--kube-api-qps": "many", "--controllers": "nothing-like-it" };
    await refuses(env, both, ["--kube-api-qps", "many"]);
    const database = `postgresql://user:${TOKEN}#@127.0.0.1/ledger`;
    await refuses(env, { "--database-url": database }, ["--database-url", "percent signs"]);
  },
  "B-12 broken YAML, and a kubeconfig without what it names, ends with 1 and names the file, and never shows what is in it":
    async (env) => {
      const file = (name: string, text: string) => {
        const path = join(env.dir, name);
        writeFileSync(path, text);
        return path;
      };
      const cloud = file("b-12-broken.yaml", `endpoint: [\ntoken: "${TOKEN}\n`);
      await refuses(env, { "--cloud-config": cloud }, [cloud, "not valid YAML"]);
      const field = file(
        "b-12-field.yaml",
        `endpoint: http://127.0.0.1:1\ntoken: ${TOKEN}\nregoin: r1\n`,
      );
      await refuses(env, { "--cloud-config": field }, [field, "regoin"]);
      const kubeconfig = file("b-12-kubeconfig", `users: [{ name: u, user: { token: "${TOKEN}\n`);
      await refuses(env, { "--kubeconfig": kubeconfig }, [kubeconfig]);
      const nothing = file("b-12-nothing", `apiVersion: v1\nkind: Config\nusers: ${TOKEN}\n`);
      await refuses(env, { "--kubeconfig": nothing }, [nothing]);
      const pointing = file("b-12-pointing", kubeconfigOf("certificate-authority: /none/ca.crt"));
      await refuses(env, { "--kubeconfig": pointing }, [pointing, "/none/ca.crt"]);
      const garbled = file(
        "b-12-garbled",
        kubeconfigOf("certificate-authority-data: Z2FyYmFnZQ=="),
      );
      await refuses(env, { "--kubeconfig": garbled }, [garbled, "certificates"]);
    },
});

function kubeconfigOf(ca: string): string {
  return `clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", ${ca}}}]
users: [{name: u, user: {token: "${TOKEN}"}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`;
}

async function refuses(
  env: SharedEnvironment,
  flags: Flags,
  says: readonly string[],
): Promise<void> {
  const { code, output } = await env.startsAndEnds({ "--secure-port": "0", ...flags });
  same(code, 1, `the exit code (${output})`);
  for (const text of says) demand(output.includes(text), `it does not say "${text}": ${output}`);
  demand(!output.includes(TOKEN), `it shows the token: ${output}`);
  demand(!/^\s+at /m.test(output), `it shows a stack: ${output}`);
}
