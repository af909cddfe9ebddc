import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { argumentsOf, type Flags, hasEnded } from "../../harness/controller.ts";
import { PROJECT_ROOT, type Started, start } from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { leaderAmong, leaseOf } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  untilNode,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { onStage, type Stage } from "../environment/stage.ts";
import { CREATED, condition } from "../route/objects.ts";
import { IDENTITY_PARTS } from "../security/identity-rights.ts";

const PROGRAM = join(PROJECT_ROOT, "apps/controller/bin/cloudwright.mjs");
const NAME = "cloud-controller-manager";

/** As the Kubernetes documentation's example manifest has them. */
const SEED_FLAGS = {
  "--use-service-account-credentials": "true",
  "--allocate-node-cidrs": "true",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": "10.63.0.0/16",
};

/** Without effect here, each of them: stages and values as upstream's 0.37 has them. */
const GATES =
  "ComponentFlagz=true,ComponentStatusz=false,KMSv1=false,WatchListCompression=true,DeclarativeValidation=true";

/** Rows P-60 to P-62: in place of upstream's binary. */
export const DROP_IN: readonly Scenario[] = [
  onStage(
    "P-60",
    "started under upstream's name, by a link or by argv[0], flags alone are the controller's",
    async (stage) => {
      const link = join(stage.dir, NAME);
      symlinkSync(PROGRAM, link);
      await leadsBy(stage, "link", (args) => start(link, args, ENV));
      await leadsBy(stage, "argv0", (args) =>
        start(
          "bash",
          ["-c", `exec -a ${NAME} "$@"`, "bash", process.execPath, PROGRAM, ...args],
          ENV,
        ),
      );
    },
  ),

  {
    id: "P-61",
    title: "a controller's flag without the sub-command ends with 1 and a sentence that names it",
    run: async () => {
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
  },

  onStage(
    "P-62",
    "feature gates of upstream's 0.37 are accepted and named once, locked and unknown ones refused",
    async (stage) => {
      const replica = await stage.start({ flags: { "--feature-gates": GATES } });
      await leaderAmong([replica]);
      const told = replica
        .output()
        .split("\n")
        .filter((line) => line.includes("accepted and have no effect"));
      same(told.length, 1, `the lines about gates (${told.join("\n")})`);
      for (const gate of GATES.split(",")) {
        const [name = ""] = gate.split("=");
        demand(told[0]?.includes(name) === true, `${name} is not named: ${told[0]}`);
      }
      await replica.stop();
      const refused = await stage.launch({
        name: "refused",
        flags: { "--feature-gates": "DeclarativeValidation=false,NoSuchGate=true" },
      });
      same(await refused.ended, 1, "the exit code");
      for (const part of [
        "DeclarativeValidation=false, but Kubernetes 1.37 locks this gate to true",
        '"NoSuchGate", which is no gate of Kubernetes 1.37',
      ])
        demand(refused.output().includes(part), `it does not say "${part}": ${refused.output()}`);
    },
  ),
];

/** Row P-63: what the process itself is granted is what the kustomize component leaves it. */
export const SEED_MANIFEST: Scenario = onStage(
  "P-63",
  "the documentation's flags work with the shipped roles and the component service-account-credentials",
  async (stage) => {
    const kubeconfig = await stage.accountOfItsOwn("p-63-root", {
      parts: IDENTITY_PARTS,
      controllers: true,
    });
    const replica = await stage.start({ kubeconfig, flags: SEED_FLAGS });
    await leaderAmong([replica]);
    await createInstance(stage, stage.name, { addresses: [internal("10.239.63.1")] });
    await createNode(stage, stage.name);
    await initialised(stage, stage.name);
    await untilNode(stage, stage.name, {
      check: ({ spec }) => demand(spec.podCIDR !== undefined, "it has no pod range"),
    });
    await condition(stage, stage.name, CREATED);
    await eventually(async () => {
      const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
      demand(health.includes("[+]permissions ok (all granted)"), `health says ${health}`);
    });
  },
);

const ENV = { env: { DATABASE_URL: undefined } };

async function leadsBy(
  stage: Stage,
  way: string,
  begin: (args: readonly string[]) => Started,
): Promise<void> {
  const flags: Flags = {
    "--cloud-provider": "sandbox",
    "--cloud-config": stage.cloudConfig,
    "--kubeconfig": stage.cluster.controllerKubeconfig,
    "--secure-port": "0",
    "--controllers": "-service",
    "--leader-elect-resource-name": stage.lease,
    "--spool-dir": join(stage.dir, `spool-${way}`),
  };
  const started = begin(argumentsOf(flags));
  stage.after(() => started.stop());
  await eventually(async () => {
    demand(!hasEnded(started), `by ${way} it ended: ${started.output().slice(-1_000)}`);
    const holder = (await leaseOf(stage))?.spec.holderIdentity ?? "";
    demand(holder !== "", `by ${way} it does not lead`);
  });
  same(await started.stop(), 0, `the exit code by ${way}`);
}
