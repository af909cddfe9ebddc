const HOST_AND_UUID = /^(.+)_([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A controller's identity in few letters: upstream's is the host's name and a UUID, and four of its digits tell restarts apart. */
export function shortIdentity(identity: string): string {
  const [, host, digits] = HOST_AND_UUID.exec(identity) ?? [];
  if (host === undefined || digits === undefined) return identity;
  return `${host} (${digits.slice(0, 4)})`;
}
