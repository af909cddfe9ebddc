import { expect, test } from "vitest";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { parseFlags } from "../../flags/parse-flags.ts";
import type { PlainError } from "../../plain-error.ts";
import { checkRoutes } from "./check-routes.ts";

const WITH_ROUTES = { routes: {} as never };

test.each([[[]], [["--cluster-cidr="]]])(
  "with %j routes cannot be started, and the process ends with 255",
  (args) => {
    const check = () => checkRoutes(flagsOf(args), WITH_ROUTES);
    expect(check).toThrow(/--cluster-cidr is not set/);
    expect(check).toThrow(expect.objectContaining({ exitCode: 255 }) as PlainError);
  },
);

test.each([
  [["--cluster-cidr=10.0.0.0/8"], WITH_ROUTES],
  [["--cluster-cidr=10.0.0.0/8,fd00::/48"], WITH_ROUTES],
  [["--configure-cloud-routes=false"], WITH_ROUTES],
  [["--controllers=*,-route"], WITH_ROUTES],
  [[], {}],
])("with %j nothing is in the way", (args, provider) => {
  expect(() => checkRoutes(flagsOf(args), provider)).not.toThrow();
});

function flagsOf(args: readonly string[]): FlagValues {
  const parsed = parseFlags(["--cloud-provider=sandbox", ...args]);
  if (parsed.kind !== "run") throw new Error(`The flags ${args.join(" ")} are refused.`);
  return parsed.values;
}
