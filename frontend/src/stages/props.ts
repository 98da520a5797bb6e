import type { Page, Question } from "../api/types";
import type { Entry } from "../work/draft";

/**
 * What every stage's view takes. It shows one item whole: the picture, the question, the answers, and the remark
 * (comment and flag, with their keys c and x). The page adds progress, back, help and the overview.
 */
export interface StageProps {
  question: Question;
  entry: Entry;
  drawing: Page["drawing"];
  /** The answer, the extreme points, the comment or the flag changed. */
  onchange: (entry: Partial<Entry>) => void;
  /** Go on to the next item. */
  onnext: () => void;
  /** The photograph cannot be shown: its link may have run out, and the page be asked for again. */
  onbroken?: (() => void) | undefined;
}
