import { grouped } from "@cloudwright/core/model/values/grouped";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { type Judged, ok, problem, someOf, warning } from "./finding.ts";

/** A container of a pod or of a workload: its name for messages, and its command. */
export interface StartedContainer {
  /** `kube-system/kube-apiserver-cp-1`. */
  readonly pod: string;
  /** The image, whose own command runs if no word in `words` names a program. */
  readonly image?: string | undefined;
  readonly words: readonly string[];
}

const SHARED_FLAGS = [
  "cluster-name",
  "cluster-cidr",
  "configure-cloud-routes",
  "allocate-node-cidrs",
] as const;
type SharedFlag = (typeof SHARED_FLAGS)[number];
type Flags = Pick<FlagValues, SharedFlag | "cloud-provider" | "dry-run">;

/**
 * Judges control plane flags that conflict with an external cloud provider, as far as pods show them: the rules of Kubernetes'
 * "Cloud Controller Manager Administration", and a second manager running in parallel (spec/00 §10).
 */
export function judgeComponents(containers: readonly StartedContainer[], flags: Flags): Judged[] {
  const apiServers = startedAs(containers, /^kube-apiserver$/);
  const managers = startedAs(containers, /^kube-controller-manager$/);
  return [
    ...judgeApiServers(apiServers),
    ...managers.flatMap((manager) => judgeControllerManager(manager, flags)),
    ...(managers.length > 0
      ? []
      : [
          {
            verdict: "unknown" as const,
            says: "kube-controller-manager does not run as a pod of kube-system here, so its flags are not visible.",
            advice:
              "Check that it is started with --cloud-provider=external or without --cloud-provider, and that only one program of the cluster has --allocate-node-cidrs.",
          },
        ]),
    ...judgeOtherManagers(containers, flags),
  ];
}

function judgeApiServers(servers: readonly StartedContainer[]): Judged[] {
  if (servers.length === 0) {
    return [
      {
        verdict: "unknown",
        says: "kube-apiserver does not run as a pod of kube-system here, so its flags are not visible.",
        advice: "Check that it is started without --cloud-provider.",
      },
    ];
  }
  return servers.map(({ pod, words }) => {
    const provider = flagOf(words, "cloud-provider") ?? "";
    return provider === "" || provider === "external"
      ? ok(`${pod} has no cloud provider of its own.`)
      : problem(
          `${pod} is started with --cloud-provider=${provider}, which is for a cloud provider inside kube-apiserver.`,
          "Remove the flag from kube-apiserver.",
        );
  });
}

function judgeControllerManager({ pod, words }: StartedContainer, flags: Flags): Judged[] {
  const provider = flagOf(words, "cloud-provider") ?? "";
  const found: Judged[] = [
    provider === "" || provider === "external"
      ? ok(`${pod} leaves the cloud to a cloud controller manager.`)
      : problem(
          `${pod} is started with --cloud-provider=${provider}, so its own cloud controllers run at the same time as this one.`,
          "Start it with --cloud-provider=external.",
        ),
  ];
  const theirs = flagOf(words, "allocate-node-cidrs") === "true";
  if (theirs && flags["allocate-node-cidrs"]) {
    found.push(
      problem(
        `${pod} and this controller would both assign pod ranges, because both have --allocate-node-cidrs=true.`,
        "Set it to false on one of them.",
      ),
    );
  }
  const range = flagOf(words, "cluster-cidr") ?? "";
  const own = flags["cluster-cidr"].join(",");
  if (range !== "" && own !== "" && range !== own) {
    found.push(
      warning(
        `${pod} has --cluster-cidr=${range}, and this controller ${own}.`,
        "Give both the same range.",
      ),
    );
  }
  return found;
}

/** Finds other cloud managers, such as upstream's for the same cloud. */
function judgeOtherManagers(containers: readonly StartedContainer[], flags: Flags): Judged[] {
  const others = containers.filter(isOtherManager);
  if (others.length === 0) return [ok("No other cloud controller manager runs.")];
  const pods = someOf(others.map(({ pod }) => pod));
  return [
    flags["dry-run"]
      ? ok(`Another cloud controller manager runs (${pods}); this controller only watches it.`)
      : warning(
          `Another cloud controller manager runs: ${pods}.`,
          "Compare first with --dry-run=true, then scale the other one to zero before this controller writes; docs/migration.md has the steps.",
        ),
    ...judgeDifferences(others, flags),
  ];
}

const MANAGER = /cloud-controller-manager$/;

function isOtherManager(container: StartedContainer): boolean {
  const image = container.image?.replace(/@.*$/, "").replace(/:[^/:]*$/, "") ?? "";
  return (
    (startedAs([container], MANAGER).length > 0 || MANAGER.test(image)) &&
    !container.words.some((word) => word.includes("cloudwright"))
  );
}

/** Upstream's defaults. */
const UPSTREAM_DEFAULTS: Readonly<Record<SharedFlag, string>> = {
  "cluster-name": "kubernetes",
  "cluster-cidr": "",
  "configure-cloud-routes": "true",
  "allocate-node-cidrs": "false",
};

const WITHOUT_THE_SAME: Readonly<Record<SharedFlag, string>> = {
  "cluster-name":
    "Give this controller the same one: load balancers that are named after the cluster are recognised by it.",
  "cluster-cidr":
    "Give this controller the same one: the cluster's own routes are recognised by it.",
  "configure-cloud-routes": "Give this controller the same one, unless routes are to change hands.",
  "allocate-node-cidrs":
    "Give this controller the same one, unless something else assigns pod ranges from now on.",
};

/** Compares the flags by which managers of the same cloud recognise the resources they have made. */
function judgeDifferences(others: readonly StartedContainer[], flags: Flags): Judged[] {
  const replaced = others.filter(({ words }) =>
    [undefined, "", flags["cloud-provider"]].includes(flagOf(words, "cloud-provider")),
  );
  const found = replaced.flatMap(({ pod, words }) =>
    SHARED_FLAGS.flatMap((name) => {
      const theirs = flagOf(words, name) ?? UPSTREAM_DEFAULTS[name];
      const own = String(flags[name]);
      if (theirs === own || (name === "cluster-cidr" && [theirs, own].includes(""))) return [];
      const says = `--${name}=${theirs}, and this controller ${own}.`;
      return [{ pod, says, advice: WITHOUT_THE_SAME[name] }];
    }),
  );
  // Replicas have the same flags, so they are grouped.
  return [...grouped(found, ({ says }) => says)].map(([says, alike]) =>
    warning(
      `${someOf(alike.map(({ pod }) => pod))} ${alike.length === 1 ? "has" : "have"} ${says}`,
      alike[0]?.advice ?? "",
    ),
  );
}

function startedAs(
  containers: readonly StartedContainer[],
  program: RegExp,
): readonly StartedContainer[] {
  return containers.filter(({ words }) =>
    words.slice(0, 2).some((word) => program.test(word.split("/").at(-1) ?? "")),
  );
}

/** Reads `--name=value` or `--name value`; the last one counts, as in Go's flag packages. */
function flagOf(words: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (const [index, word] of words.entries()) {
    if (word === `--${name}`)
      value = words[index + 1]?.startsWith("-") === false ? words[index + 1] : "true";
    else if (word.startsWith(`--${name}=`)) value = word.slice(name.length + 3);
  }
  return value;
}
