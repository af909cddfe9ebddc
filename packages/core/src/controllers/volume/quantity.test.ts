import { expect, it } from "vitest";
import { bytesOf, gibibytesOf, quantityOf } from "./quantity.ts";

it.each<[string | undefined, bigint | undefined]>([
  ["1Gi", 2n ** 30n],
  ["1.5Gi", 3n * 2n ** 29n],
  ["1G", 10n ** 9n],
  ["5k", 5_000n],
  ["1e3", 1_000n],
  ["12E", 12n * 10n ** 18n],
  ["15e-1", 2n],
  ["1500m", 2n],
  ["1073741825", 1_073_741_825n],
  ["+2Ki", 2_048n],
  ["", undefined],
  ["ten", undefined],
  ["-1Gi", undefined],
  ["1GB", undefined],
  [undefined, undefined],
])("%s is %s bytes, rounded up", (text, bytes) => {
  expect(bytesOf(text)).toBe(bytes);
});

it.each<[string, number]>([
  ["1Gi", 1],
  ["1500Mi", 2],
  ["1073741825", 2],
  ["10G", 10],
  ["1Ti", 1_024],
])("%j needs a disk of %j GiB", (text, size) => {
  expect(gibibytesOf(text)).toBe(size);
  expect(gibibytesOf(quantityOf(size))).toBe(size);
});
