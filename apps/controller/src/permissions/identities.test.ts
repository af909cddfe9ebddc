import { expect, it } from "vitest";
import { defaults } from "../flags/parse-flags.ts";
import { type IdentityOptions, identitiesOf } from "./identities.ts";
import { rightText } from "./review-rights.ts";

const CLIENT: IdentityOptions["process"] = {
  create: () => Promise.reject(new Error("nobody is asked here")),
};

it("a dry run reads the active manager's control record, and writes only its own Lease", () => {
  const rights = rightsOfProcess({ "dry-run": true });
  expect(rights).toContain("get configmaps/cloudwright-controls in kube-system");
  const writes = rights.filter((right) => !/^(get|list|watch) /.test(right));
  expect(writes).toEqual([
    "create leases in kube-system",
    "update leases/cloudwright-shadow in kube-system",
  ]);
});

it("a run that is not dry writes the record as well", () => {
  expect(rightsOfProcess({})).toContain("update configmaps/cloudwright-controls in kube-system");
});

it("requests tokens only for the accounts of controllers that run", () => {
  const rights = rightsOfProcess({}, { own: () => CLIENT });
  expect(rights.filter((right) => right.includes("serviceaccounts/"))).toEqual([
    "get serviceaccounts/node-controller in kube-system",
    "create serviceaccounts/token/node-controller in kube-system",
  ]);
});

function rightsOfProcess(
  flags: Partial<IdentityOptions["flags"]>,
  { own }: Pick<IdentityOptions, "own"> = { own: undefined },
): readonly string[] {
  const [process] = identitiesOf({
    flags: { ...defaults(), ...flags },
    controllers: ["cloud-node-controller"],
    own,
    leases: ["cloudwright-shadow"],
    process: CLIENT,
    authentication: undefined,
    authorization: undefined,
  });
  return (process?.rights ?? []).map(rightText);
}
