import type { SuggestionKeys } from "../catalogue";

export default {
  accept:
    "采用模型给出的这个编号的建议。有些建议是错的，有些对象没有建议：只有与你自己画的框一样紧贴时才采用，或采用后再拉动各边",
  walk: "转到列表中的一条建议。按Enter键采用",
  discard: "在列表中：舍弃这条建议",
} satisfies SuggestionKeys;
