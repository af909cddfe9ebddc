import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { argumentsOf, type Flags, hasEnded } from "../../harness/controller.ts";
import { PROJECT_ROOT, type Started, start } from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import { leaderAmong, leaseOf } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  untilNode,
} from "../environment/objects.ts";
import { row, type Scenario } from "../environment/scenario.ts";
import { CREATED, condition } from "../route/objects.ts";
import { IDENTITY_PARTS } from "../security/identity-rights.ts";

const PROGRAM = join(PROJECT_ROOT, "apps/controller/bin/cloudwright.mjs");
const NAME = "cloud-controller-manager";

/** From the example manifest in the Kubernetes documentation. */
const SEED_FLAGS = {
  "--use-service-account-credentials": "true",
  "--allocate-node-cidrs": "true",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": "10.63.0.0/16",
};

/** All of them have no effect here: stages and values as in upstream's 0.37. */
const GATES =
  "ComponentFlagz=true,ComponentStatusz=false,KMSv1=false,WatchListCompression=true,DeclarativeValidation=true";

/** Rows P-60 to P-62: as a replacement of upstream's binary. */
export const DROP_IN: readonly Scenario[] = [
  isolatedRow(
    "P-60",
    "started under upstream's name, by a link or by argv[0], flags alone are the controller's",
    async (env) => {
      const link = join(env.dir, NAME);
      symlinkSync(PROGRAM, link);
      await leadsBy(env, "link", (args) => start(link, args, ENV));
      await leadsBy(env, "argv0", (args) =>
        start(
          "bash",
          ["-c", `exec -a ${NAME} "$@"`, "bash", process.execPath, PROGRAM, ...args],
          ENV,
        ),
      );
    },
  ),

  row(
    "P-61",
    "a controller's flag without the sub-command ends with 1 and a sentence that names it",
    async () => {
      const started = start(PROGRAM, ["--cloud-provider=sandbox", "--leader-elect=false"]);
      same(await started.ended, 1, "the exit code");
      const lines = started.output().trim().split("\n");
      same(lines.length, 1, `the lines of ${started.output()}`);
      for (const part of [
        "sub-command is missing",
        "cloudwright controller --cloud-provider",
        NAME,
      ])
        demand(lines[0]?.includes(part) === true, `it does not say "${part}": ${lines[0]}`);
    },
  ),

  isolatedRow(
    "P-62",
    "feature gates of upstream's 0.37 are accepted and named once, locked and unknown ones refused",
    async (env) => {
      const replica = await env.start({ flags: { "--feature-gates": GATES } });
      await leaderAmong([replica]);
      const reported = replica
        .output()
        .split("\n")
        .filter((line) => line.includes("accepted and have no effect"));
      same(reported.length, 1, `the lines about gates (${reported.join("\n")})`);
      for (const gate of GATES.split(",")) {
        const [name = ""] = gate.split("=");
        demand(reported[0]?.includes(name) === true, `${name} is not named: ${reported[0]}`);
      }
      await replica.stop();
      const refused = await env.launch({
        name: "refused",
        flags: { "--feature-gates": "DeclarativeValidation=false,NoSuchGate=true" },
      });
      same(await refused.ended, 1, "the exit code");
      for (const part of [
        "DeclarativeValidation=false, but Kubernetes 1.37 locks this gate to true",
        '"NoSuchGate", which is not a gate of Kubernetes 1.37',
      ])
        demand(refused.output().includes(part), `it does not say "${part}": ${refused.output()}`);
    },
  ),
];

/** Row P-63: the kustomize component gives the process exactly the rights that it needs. */
export const SEED_MANIFEST: Scenario = isolatedRow(
  "P-63",
  "the documentation's flags work with the shipped roles and the component service-account-credentials",
  async (env) => {
    const kubeconfig = await env.accountOfItsOwn("p-63-root", {
      parts: IDENTITY_PARTS,
      controllers: true,
    });
    const replica = await env.start({ kubeconfig, flags: SEED_FLAGS });
    await leaderAmong([replica]);
    await createInstance(env, env.name, { addresses: [internal("10.239.63.1")] });
    await createNode(env, env.name);
    await initialised(env, env.name);
    await untilNode(env, env.name, {
      check: ({ spec }) => demand(spec.podCIDR !== undefined, "it has no pod range"),
    });
    await condition(env, env.name, CREATED);
    await eventually(async () => {
      const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
      demand(health.includes("[+]permissions ok (all granted)"), `health says ${health}`);
    });
  },
);

const ENV = { env: { DATABASE_URL: undefined } };

async function leadsBy(
  env: IsolatedEnvironment,
  way: string,
  begin: (args: readonly string[]) => Started,
): Promise<void> {
  const flags: Flags = {
    "--cloud-provider": "sandbox",
    "--cloud-config": env.cloudConfig,
    "--kubeconfig": env.cluster.controllerKubeconfig,
    "--secure-port": "0",
    "--controllers": "-service",
    "--leader-elect-resource-name": env.lease,
    "--spool-dir": join(env.dir, `spool-${way}`),
  };
  const started = begin(argumentsOf(flags));
  env.after(() => started.stop());
  await eventually(async () => {
    demand(!hasEnded(started), `by ${way} it ended: ${started.output().slice(-1_000)}`);
    const holder = (await leaseOf(env))?.spec.holderIdentity ?? "";
    demand(holder !== "", `by ${way} it does not lead`);
  });
  same(await started.stop(), 0, `the exit code by ${way}`);
}
