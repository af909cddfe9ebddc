import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { FRAMEWORK_TEXTS } from "../../model/cloud-texts/framework-texts.ts";
import { OPENSTACK_TEXTS } from "../../model/cloud-texts/openstack-texts.ts";
import { PROVIDER_PROCESS_TEXTS } from "../../model/cloud-texts/provider-process-texts.ts";
import { SANDBOX_TEXTS } from "../../model/cloud-texts/sandbox-texts.ts";
import { englishOf } from "../../model/language/text.ts";

// Providers write their messages in English, and this list finds the translations by that text. A
// message changed in only one place would be shown in English to all its readers, and no error
// would reveal it.

const packages = fileURLToPath(new URL("../../../../", import.meta.url));
const VALUE = "\ue000";
/** Those that are assembled where they are written, with a bar where the pieces meet. */
const IN_PIECES = new Map(
  [
    "none of our instances |is named",
    "none of our instances |has the provider ID",
    "the answer does not match the cloud's API| in",
    "this Octavia and its provider do not offer |HTTP listeners",
    "this Octavia and its provider do not offer |that PROXY protocol",
    "this Octavia and its provider do not offer |TLS",
    "the network |of the load balancer| has no",
    "already has that listener, which belongs to |somebody else",
    "None of our servers |is named",
    "None of our servers |has the provider ID",
    "'s API promises| in",
    "Keystone refused |the token of cloud.conf, which has expired or was revoked and cannot be renewed",
    "Keystone refused |our credentials",
  ].map((pieces) => [pieces.replaceAll("|", ""), pieces.split("|")]),
);

const source = globSync("**/src/**/*.ts", {
  cwd: packages,
  exclude: (file) => /node_modules|cloud-texts$|\.test\.ts$/.test(file),
})
  .map((file) => readFileSync(`${packages}${file}`, "utf8"))
  .join("\n");

it.each(
  [...FRAMEWORK_TEXTS, ...SANDBOX_TEXTS, ...OPENSTACK_TEXTS, ...PROVIDER_PROCESS_TEXTS].map(
    (text) => englishOf(() => text([VALUE, VALUE, VALUE, VALUE, VALUE], (value) => value)),
  ),
)("%s: every part of it still stands where it is said", (english) => {
  const parts = english.split(new RegExp(`${VALUE}|[;:()]`)).map((part) => part.trim());
  const pieces = parts.flatMap((part) => IN_PIECES.get(part) ?? [part]);
  expect(pieces.filter((piece) => !source.includes(piece.trim()))).toEqual([]);
});
