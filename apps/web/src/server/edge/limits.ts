/** The limits on what the dashboard's server accepts from anybody. Requests beyond them are refused before they are parsed. */
export const LIMITS = {
  /** Bytes of a request's body. */
  body: 1024 * 1024,
  /** The same for requests without a session: only the forms of the sign-in page come without one. */
  bodySignedOut: 64 * 1024,
  /** Calls in one batch. The pages' own client splits larger batches. */
  calls: 20,
  /** Nesting depth of lists and objects in an input. */
  depth: 32,
  /** Members of all objects in an input. A batch of the longest lists of keys that the pages send has a few hundred. */
  members: 10_000,
  /** Entries in an input's type notes, such as which members are undefined. */
  metaEntries: 2_000,
  /** Open change streams per session, and in total. */
  streamsOfSession: 20,
  streams: 200,
} as const;
