import { duration, FlagProblem, oneOf } from "../flags/kinds.ts";
import { type DoctorOptions, examine } from "./doctor/examine.ts";
import type { ServiceAccount } from "./doctor/examine-permissions.ts";
import { exitCodeOfFindings } from "./doctor/finding.ts";
import { DOCTOR_OUTPUTS, type DoctorOutput, FINDING_PRINTERS } from "./doctor/print-findings.ts";
import { runWithControllerFlags } from "./terminal/controller-flags.ts";
import { type OwnKinds, splitOwnOptions } from "./terminal/own-options.ts";
import { print } from "./terminal/print.ts";

/**
 * `cloudwright doctor`: examines the cluster, the cloud and the ledger for anything that would keep a controller with these flags
 * from working. It writes nothing. Returns 0 if all is well, 1 for a problem, 2 for a warning. Throws PlainError.
 */
export async function runDoctorCommand(args: readonly string[]): Promise<number> {
  const { options, rest } = splitOwnOptions<Options>(args, KINDS, OPTION_OF);
  const { output = "text", ...examined } = options;
  return await runWithControllerFlags(rest, {
    help: () => DOCTOR_HELP,
    run: async (start) => {
      const diagnosis = await examine(start, { ...USUAL, ...examined });
      await print(FINDING_PRINTERS[output](diagnosis));
      return exitCodeOfFindings(diagnosis.findings);
    },
  });
}

interface Options extends DoctorOptions {
  readonly output: DoctorOutput;
}

const USUAL: DoctorOptions = { timeoutMs: 120_000, account: undefined };

const KINDS: OwnKinds<Options> = {
  output: oneOf(DOCTOR_OUTPUTS),
  timeoutMs: duration,
  account: {
    label: "NAMESPACE/NAME",
    parse: parseAccount,
    format: (account) => (account === undefined ? '""' : `${account.namespace}/${account.name}`),
  },
};

const OPTION_OF: ReadonlyMap<string, keyof Options> = new Map([
  ["--output", "output"],
  ["-o", "output"],
  ["--timeout", "timeoutMs"],
  ["--service-account", "account"],
]);

function parseAccount(text: string): ServiceAccount {
  const [namespace = "", name = "", ...more] = text.split("/");
  if (namespace === "" || name === "" || more.length > 0) {
    throw new FlagProblem(
      "must be a namespace and a name, such as kube-system/cloud-controller-manager",
    );
  }
  return { namespace, name };
}

/** The text of `cloudwright doctor --help`. */
export const DOCTOR_HELP = `Examines the cluster, the cloud and the ledger for anything that would keep a controller with these flags from working. Only reads: no Lease, no write, no Event, no record.

Usage: cloudwright doctor --cloud-provider=NAME [controller flags] [flags]

      --service-account NAMESPACE/NAME
            examine the rights of this service account instead of those of whoever runs the command
  -o, --output text|json
            text for humans, json for programs; docs/doctor.md describes the JSON (default text)
      --timeout duration
            how long it may take (default 2m0s)
  -h, --help
            show this help

The controller's flags are those of cloudwright controller --help: give the ones that the controller will have.

Exit codes: 0 all is well, 1 there is a problem, 2 there is a warning or something could not be examined.
`;
