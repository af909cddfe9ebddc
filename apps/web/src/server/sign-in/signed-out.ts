/** What whoever is not signed in is answered. */
export const SIGNED_OUT = "You are not signed in.";
