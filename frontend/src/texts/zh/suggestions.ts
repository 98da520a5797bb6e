import type { Suggestions } from "../catalogue";

export default {
  hint: (by) =>
    `虚线框是模型的建议，有些是错的。采用正确的：${{ click: "按它的数字键，或点击它的编号", tap: "轻点它的编号", both: "按它的数字键，或轻点它的编号" }[by]}。缺少的请画出来。`,
  hintOne: (by) =>
    `虚线框是模型的建议，有些是错的。要采用正确的一个，请${{ click: "按它的数字键，或点击它的编号", tap: "轻点它的编号", both: "按它的数字键，或轻点它的编号" }[by]}。如果都不正确，请自己画框。`,
  list: "建议和框",
  one: (n, words) => `建议${n}，${words}`,
  discard: (n) => `舍弃建议${n}`,
  accepted: (n, where) => `已采用建议${n}：${where}。`,
  discarded: (n) => `已舍弃建议${n}。`,
  open: (n) => `建议${n}不再被采用。`,
  removed: (n) => `已删除框${n}。`,
  again: (n) => (n === 1 ? "显示已舍弃的建议" : `显示${n}条已舍弃的建议`),
  nothing: "请先采用一条建议或画一个框。如果不需要框，请说明。",
} satisfies Suggestions;
