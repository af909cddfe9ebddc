import { openText, type Seal, sealText } from "@cloudwright/store/text/sealed-text";

/* Encrypts URLs and secrets of webhooks in the database, with a key derived from the dashboard's secret. Someone who reads only the
   database can neither send in the dashboard's name nor learn where it sends to. */

/** The text was sealed with another secret, or was never sealed. */
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
