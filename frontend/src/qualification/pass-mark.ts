/** Returns how many right answers pass the test. The server compares their share with the mark. */
export function needed(mark: number, asked: number): number {
  for (let right = 1; right < asked; right++) if (right / asked >= mark) return right;
  return asked;
}
