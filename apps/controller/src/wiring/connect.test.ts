import type { Provider } from "@cloudwright/provider-api";
import { expect, test } from "vitest";
import { parseFlags } from "../flags/parse-flags.ts";
import type { PlainError } from "../plain-error.ts";
import { checkAdoption, checkRoutes } from "./connect.ts";

const ROUTES = ["--configure-cloud-routes=true", "--cluster-cidr=10.0.0.0/16"];

function flagsOf(args: readonly string[]) {
  const parsed = parseFlags(["--cloud-provider=sandbox", ...args]);
  if (parsed.kind !== "run") throw new Error(`The flags were ${parsed.kind}.`);
  return parsed.values;
}

function providerWith(marks: { readonly balancers: boolean; readonly routes: boolean }) {
  return {
    name: "p",
    loadBalancers: { abilities: { storesOwner: marks.balancers } },
    routes: { abilities: { storesOwner: marks.routes } },
  } as Pick<Provider, "name" | "loadBalancers" | "routes">;
}

test.each([
  [
    "neither carries marks",
    { balancers: false, routes: false },
    /load balancers and routes do not record/,
  ],
  [
    "load balancers carry none",
    { balancers: false, routes: true },
    /its load balancers do not record/,
  ],
  ["routes carry none", { balancers: true, routes: false }, /its routes do not record/],
])("report is refused where %s", (_case, marks, message) => {
  const flags = flagsOf(["--adopt=report", ...ROUTES]);
  expect(() => checkAdoption(flags, providerWith(marks))).toThrow(message);
});

test.each([
  ["published", { balancers: false, routes: false }, [...ROUTES]],
  ["both carry marks", { balancers: true, routes: true }, ["--adopt=report", ...ROUTES]],
  [
    "their controllers do not run",
    { balancers: false, routes: false },
    ["--adopt=report", "--controllers=cloud-node-controller"],
  ],
])("nothing is refused where %s", (_case, marks, args) => {
  expect(() => checkAdoption(flagsOf(args), providerWith(marks))).not.toThrow();
});

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
