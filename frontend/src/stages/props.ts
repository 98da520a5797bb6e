import type { Page, Question, Stage } from "../api/types";
import type { Entry } from "../work/draft";

/**
 * The properties of every stage's view. It shows the whole of one item: the picture, the question, the answers,
 * and the remark (comment and flag, with their keys c and x). The page adds progress, back, help and the
 * overview.
 */
export interface StageProps<S extends Stage = Stage> {
  stage: S;
  question: Question;
  entry: Entry;
  drawing: Page["drawing"];
  /** How the stage check begins. */
  check?: Page["check"] | undefined;
  /** How many items of the page can still be answered that one cannot tell. Not given: none of them can. */
  unsure?: number | undefined;
  /** The answer, the extreme points, the comment or the flag changed. */
  onchange: (entry: Partial<Entry>) => void;
  /** Go on to the next item. */
  onnext: () => void;
  /** The photograph cannot be shown. Its link may have expired, and then the page can be fetched again. */
  onbroken?: (() => void) | undefined;
}
