import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { judgeSignatures } from "./signatures.mjs";

it("passes if npm has verified every signature", () => {
  const output = "audited 409 packages in 3s\n\n409 packages have verified registry signatures\n";
  const { counts, lines } = judgeSignatures({ status: 0, output });
  expect(counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
  expect(lines).toContain("409 packages have verified registry signatures");
});

it.each([
  [
    "is not found",
    { status: 1, output: "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\n" },
    /code ENOTFOUND/,
  ],
  [
    "has no keys",
    {
      status: 1,
      output:
        "npm error found no dependencies to audit that were installed from a supported registry",
    },
    /no dependencies to audit/,
  ],
  ["does not answer in time", { status: null, output: "" }, /no answer in time/],
])("says that it was skipped where the registry %s", (_, ended, why) => {
  const { counts, lines } = judgeSignatures(ended);
  expect(counts).toEqual({ passed: 0, failed: 0, skipped: 1 });
  expect(lines).toEqual([expect.stringMatching(why)]);
});

it.each([
  ["wrong", "1 package has an invalid registry signature:\na@1.0.0 (https://registry.example/)\n"],
  [
    "missing",
    "2 packages have missing registry signatures but the registry is providing signing keys:\n",
  ],
])("fails where a signature is %s", (_, output) => {
  const { counts, lines } = judgeSignatures({ status: 1, output });
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(lines.at(-1)).toMatch(/^failed: signatures/);
});
