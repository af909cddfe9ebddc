import { z } from "zod/mini";
import { cloudText } from "../cloud-texts/cloud-texts.ts";
import { currentLanguage, englishOf, t } from "../language/text.ts";

/**
 * The text in one of a reason's fields, such as the problem of a refusal, as the end of a sentence. The field stays in English;
 * beside it is the phrase, a code with its values, from which a page renders it for its reader. Codes never change.
 */
const PHRASES = {
  nodeHeldAsRequested: () => t`the node is held as requested`,
  serviceHeldAsRequested: () => t`the Service is held as requested`,
  volumeHeldAsRequested: () => t`the volume is held as requested`,
  nodeNotHeld: () => t`the node is not held`,
  serviceNotHeld: () => t`the Service is not held`,
  volumeNotHeld: () => t`the volume is not held`,
  notForNode: (action: string) => t`the action ${action} does not apply to the node`,
  notForService: (action: string) => t`the action ${action} does not apply to the Service`,
  notForVolume: (action: string) => t`the action ${action} does not apply to the volume`,
  notForOrphan: (action: string) =>
    t`the action ${action} does not apply to a load balancer without a Service`,
  otherHeldAsRequested: (thing: string) => t`${thing} is held as requested`,
  otherNotHeld: (thing: string) => t`${thing} is not held`,
  notForOther: (action: string, thing: string) =>
    t`the action ${action} does not apply to ${thing}`,
  endUnreadable: (annotation: string, value: string) =>
    t`${annotation} is "${value}", which is not an RFC 3339 time, so the hold has no end`,

  notUninitialized: () => t`the node does not carry the uninitialized taint`,
  overriddenAsRequested: () => t`the taint is already overridden as requested`,
  heldTaintStays: () => t`the taint of a held node cannot be overridden; release the node first`,
  initialisedAsUsual: () =>
    t`the cloud knows the node now, so it is initialised as usual and its taint need not be overridden`,
  cloudNotAsked: () => t`the cloud was not asked`,
  runTooLong: (limit: string) => t`the run was ended because it took longer than ${limit}`,

  serviceAbsent: () => t`the Service is not in the cluster`,
  serviceHeld: () => t`the Service is held; release it first`,
  noLoadBalancerHere: () => t`the Service does not get a load balancer from this controller`,
  noDeletionWaits: () => t`no deletion of the Service waits for its load balancer`,
  loadBalancerOwned: (loadBalancer: string) => t`${loadBalancer} is this Service's already`,
  notAdoptable: (loadBalancer: string) =>
    t`${loadBalancer} is not a load balancer without an owner that has this Service's name or published address`,
  anotherOrphan: (requested: string, orphan: string) =>
    t`${requested} was requested, but this is ${orphan}`,
  noAddress: () => t`it is not an IP address`,
  otherFamily: (family: string, families: string) =>
    t`it is ${family}, and the Service has ${families}`,
  noSourceRange: (example: string) => t`a source range is a CIDR such as ${example}`,
  notThisRoute: (route: string) =>
    t`${route} is not a route without an owner that may be this node's`,

  diskNotObserved: () => t`its disk was not observed`,
  emptyZone: () => t`one of its zones is empty`,
  noStorageClass: () => t`it names no storage class`,
  storageClassAbsent: (storageClass: string) => t`there is no storage class ${storageClass}`,
  storageClassForbids: (storageClass: string) =>
    t`its storage class ${storageClass} does not allow that`,

  noCidr: (example: string) => t`it is not a CIDR such as ${example}`,
  overlapsServices: (range: string) => t`it overlaps the range of Services ${range}`,
  labelTooLong: () => t`it is longer than 63 characters`,
  labelCharacter: () => t`it has a character that is not allowed there`,
  labelKeySlashes: () => t`its key has more than one slash`,
  labelKeyName: () => t`its key is not a valid name`,
  labelKeyPrefix: () => t`its key's prefix is not a DNS name`,
  nodeIPNoAddress: () => t`not an IP address`,
  nodeIPUnspecified: () => t`an unspecified address`,
  nodeIPTooMany: () => t`more than two addresses`,
  nodeIPOneFamily: () => t`two addresses of one family`,

  notPaused: (controller: string) => t`${controller} is not paused`,
  pauseEnded: () => t`the pause would already have ended; choose a later end and try again`,
  guardOff: () => t`the deletion guard is off`,
  noNodeWaits: () => t`none of these nodes waits for the deletion guard`,
  nodeWaitsNoMore: (node: string) => t`node ${node} no longer waits for the deletion guard`,
  notRunningHere: (controller: string) => t`${controller} is not running here; check --controllers`,
  recordChangedSince: () =>
    t`it was written, but somebody else has changed the control record since`,
  settingChanged: (setting: string, now: string, from: string) =>
    t`${setting} is now ${now} and no longer ${from}; review the change and request it again`,
  settingIsFlags: (setting: string) => t`${setting} is what the flag says`,
  flagDiffers: (setting: string, flag: string, value: string) =>
    t`the flag ${setting} is ${flag} and not ${value}; review the change and request it again`,
} as const satisfies Readonly<Record<string, (...values: never[]) => string>>;

export type PhraseCode = keyof typeof PHRASES;
export type PhraseValues<Code extends PhraseCode> = Parameters<(typeof PHRASES)[Code]>;

/** Accepts codes of newer releases, whose English text is shown. */
export const phraseSchema = z.object({
  code: z.string(),
  /** Its values, in the order of the English sentence. */
  values: z.optional(z.array(z.string())),
});
export type Phrase = z.infer<typeof phraseSchema>;

/** Returns a field of a reason with its phrase: `{ problem: "the Service is held…", phrase: { code: "serviceHeld" } }`. */
export function phrased<Field extends string, Code extends PhraseCode>(
  field: Field,
  code: Code,
  ...values: PhraseValues<Code>
): Readonly<Record<Field, string>> & { readonly phrase: Phrase } {
  const phrase: Phrase = values.length === 0 ? { code } : { code, values };
  const text = englishOf(() => wordsOf(phrase) ?? "");
  return { [field]: text, phrase } as Record<Field, string> & { phrase: Phrase };
}

/**
 * Returns the phrase in its reader's language, or the recorded text if there is no phrase or this release does not
 * know it.
 */
export function inWords(phrase: Phrase | undefined, recorded: string): string {
  if (currentLanguage() === "en") return recorded;
  return (phrase === undefined ? undefined : wordsOf(phrase)) ?? cloudText(recorded);
}

function wordsOf({ code, values = [] }: Phrase): string | undefined {
  if (!isKnown(code)) return undefined;
  const word: (...values: string[]) => string = PHRASES[code];
  return values.length < word.length ? undefined : word(...values);
}

function isKnown(code: string): code is PhraseCode {
  return Object.hasOwn(PHRASES, code);
}
