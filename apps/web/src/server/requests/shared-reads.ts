/**
 * Reads once for all callers who ask for the same thing at the same time, as the pages of many users do after a change. Callers who ask
 * during a read wait for the next one, which begins when that read has ended: no answer is older than its request.
 */
export function sharedReads<Answer>(): (
  key: string,
  read: () => Promise<Answer>,
) => Promise<Answer> {
  const underWay = new Map<string, UnderWay<Answer>>();
  const begin = (key: string, read: () => Promise<Answer>) => {
    const reading: UnderWay<Answer> = { answer: read(), next: undefined };
    underWay.set(key, reading);
    const end = () => {
      if (reading.next === undefined) underWay.delete(key);
    };
    reading.answer.then(end, end);
    return reading.answer;
  };
  return (key, read) => {
    const reading = underWay.get(key);
    if (reading === undefined) return begin(key, read);
    const afterwards = () => begin(key, read);
    reading.next ??= reading.answer.then(afterwards, afterwards);
    return reading.next;
  };
}

interface UnderWay<Answer> {
  readonly answer: Promise<Answer>;
  /** For the callers who have asked since it began. */
  next: Promise<Answer> | undefined;
}
