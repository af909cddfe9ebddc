const SIGNS = ["==", "!=", "=", "!", ">", "<", "(", ")", ","];

/** A label selector's words and signs, blanks dropped. */
export function tokenise(source: string): readonly string[] {
  const tokens: string[] = [];
  let rest = source.trimStart();
  while (rest !== "") {
    const token = SIGNS.find((sign) => rest.startsWith(sign)) ?? word(rest);
    tokens.push(token);
    rest = rest.slice(token.length).trimStart();
  }
  return tokens;
}

function word(rest: string): string {
  return /^[^\s=!<>(),]+/.exec(rest)?.[0] ?? rest.slice(0, 1);
}
