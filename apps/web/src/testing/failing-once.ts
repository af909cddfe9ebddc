import { refusal } from "./render-page.tsx";

/** An answer that fails the first time, and never comes afterwards: what asks again keeps waiting. */
export function failingOnce(sentence: string): () => unknown {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1 ? refusal("SERVICE_UNAVAILABLE", sentence)() : new Promise(() => {});
  };
}
