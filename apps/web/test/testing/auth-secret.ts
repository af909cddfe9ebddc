/** With which the dashboard of a test signs its sessions and seals what it keeps. */
export const AUTH_SECRET = "a secret of more than 32 characters";
