/** The time of a command that a user waits for. */
export interface WaitingTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Keeps the process alive meanwhile, unlike a timer of the controllers. */
  pause(ms: number): Promise<void>;
}

export const waitingTime: WaitingTime = {
  now: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
