import { openText, type Seal, sealText } from "@cloudwright/store/text/sealed-text";

/*
 * URLs and secrets of webhooks, as the database keeps them: encrypted by a key that is made of the dashboard's secret. Who reads
 * the database alone can neither send in the dashboard's name nor to where it sends.
 */

/** What was sealed by another secret, or is no sealed text. */
export class SealBrokenError extends Error {
  constructor() {
    super(
      "It was encrypted with another CLOUDWRIGHT_AUTH_SECRET: enter the URL and make a new secret.",
    );
    this.name = "SealBrokenError";
  }
}

export function seal(plain: string, authSecret: string): string {
  return sealText(plain, sealOf(authSecret));
}

/** Throws SealBrokenError. */
export function unseal(sealed: string, authSecret: string): string {
  const plain = openText(sealed, sealOf(authSecret));
  if (plain === undefined) throw new SealBrokenError();
  return plain;
}

function sealOf(authSecret: string): Seal {
  return { secret: authSecret, purpose: "webhooks" };
}
