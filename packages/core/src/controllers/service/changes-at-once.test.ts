import { expect, test } from "vitest";
import { changesAtOnce } from "./module.ts";

test.each<[string, { borne?: number; flag?: number; concurrency: number; isStrict: boolean }]>([
  ["the flag's number", { concurrency: 32, isStrict: false }],
  ["the flag's number that was given", { flag: 5, concurrency: 5, isStrict: false }],
  ["no more than the provider bears", { borne: 1, concurrency: 1, isStrict: true }],
  [
    "what the operator has named all the same",
    { borne: 1, flag: 5, concurrency: 5, isStrict: true },
  ],
  ["fewer than the provider bears", { borne: 8, flag: 2, concurrency: 2, isStrict: true }],
])("concurrent changes of Services: %s", (_what, { borne, flag, concurrency, isStrict }) => {
  const context = {
    flags: { "concurrent-service-syncs": flag ?? 32 },
    isGiven: () => flag !== undefined,
  };
  const abilities = borne === undefined ? {} : { changesAtOnce: borne };
  expect(changesAtOnce(context, abilities)).toEqual({
    concurrency,
    isConcurrencyStrict: isStrict,
  });
});
