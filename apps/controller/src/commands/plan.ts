import { PlainError } from "../plain-error.ts";
import { isIn, type PlanOptions, planHelp, splitPlanOptions } from "./plan/plan-options.ts";
import { exitCodeOfPlan, type PlanPreview } from "./plan/planned-object.ts";
import { previewOnce } from "./plan/preview-once.ts";
import { PLAN_PRINTERS } from "./plan/print-plan.ts";
import { runWithControllerFlags } from "./terminal/controller-flags.ts";
import { print } from "./terminal/print.ts";

/**
 * `cloudwright plan`: prints what the selected controllers would do to the cluster right now. It writes nothing. Returns 0 if
 * nothing would be done, 2 if something would, 1 if that could not be determined. Throws PlainError.
 */
export async function runPlanCommand(args: readonly string[]): Promise<number> {
  const { options, rest } = splitPlanOptions(args);
  return await runWithControllerFlags(rest, {
    help: planHelp,
    run: async (start) => report(await previewOnce(start, options.timeoutMs), options),
  });
}

async function report(seen: PlanPreview, { only, output }: PlanOptions): Promise<number> {
  const objects = seen.objects.filter(({ run }) => only === undefined || isIn(only, run.object));
  if (only !== undefined && objects.length === 0) {
    throw new PlainError(
      `No selected controller has observed ${only.kind}/${only.name}: check its kind and name, and --controllers.`,
    );
  }
  // With `--only`, only that one object matters.
  const shown = { ...seen, objects, unseen: only === undefined ? seen.unseen : [] };
  await print(PLAN_PRINTERS[output](shown));
  return exitCodeOfPlan(shown);
}
