import { expect, it } from "vitest";
import { speakIn } from "../../testing/speak-in.ts";
import { triggerText } from "./trigger-text.ts";

it.each([
  ["created", "created", "créé"],
  ["other annotations", "other annotations", "autres annotations"],
  [
    "loadBalancerClass, annotations",
    "loadBalancerClass, annotations",
    "loadBalancerClass, annotations",
  ],
  ["addresses, readiness", "addresses, readiness", "adresses, disponibilité"],
  [
    "its load balancer, which is not needed",
    "its load balancer, which is not needed",
    "son équilibreur de charge, qui n’est pas nécessaire",
  ],
  ["ranges of w-1", "ranges of w-1", "plages de w-1"],
])("the change of %s is named in the reader's language", (what, english, french) => {
  expect(triggerText({ kind: "change", what })).toBe(english);
  speakIn("fr");
  expect(triggerText({ kind: "change", what })).toBe(french);
});
