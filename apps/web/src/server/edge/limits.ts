/** What the dashboard's server takes of anybody. What goes beyond is refused before it is parsed. */
export const LIMITS = {
  /** Of a request's body, bytes. */
  body: 1024 * 1024,
  /** The same, of whoever sends no session: only the forms of the sign-in page come without one. */
  bodySignedOut: 64 * 1024,
  /** Calls of one batch. The pages' own client splits what is more. */
  calls: 20,
  /** Of lists and objects within each other in an input. */
  depth: 32,
  /** Of all objects of an input. A batch of the longest lists of keys that the pages send has some hundred. */
  members: 10_000,
  /** Entries in what an input says of its types, such as which members are undefined. */
  metaEntries: 2_000,
  /** Open streams of changes of one session, and of all. */
  streamsOfSession: 20,
  streams: 200,
} as const;
