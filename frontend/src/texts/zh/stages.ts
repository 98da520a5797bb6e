import type { Pointing } from "../pointer";
import type { Catalogue } from "../catalogue";

export default {
  link: {
    name: "是否相同",
    question: "标出的词指的是同一个或同一些对象吗？",
  },
  verification: {
    name: "检查一组",
    question: "所有标出的词指的都是同一个或同一些对象吗？",
  },
  requirement: {
    name: "能否画框",
    question: "可以给标出的词所指的对象画框吗？",
  },
  drawing: {
    name: "画一个框",
    question: "标出的词所指的对象中，给一个还没有框的对象画框。",
    method: "画法",
    ways: { extreme: "四个点", drag: "拖动" },
    extreme: (by: Pointing, n: number): string =>
      `${{ click: "点击", tap: "轻点", both: "点击或轻点" }[by]}${n === 0 ? "一个对象最高、最低、最左和最右的点" : n === 3 ? "最后一个点" : "下一个点"}：${n}/4。`,
    drag: "从一个角拖动到对角。",
    adjust: "移动各边，直到框紧贴，然后确认。",
    confirm: "确认这个框",
    drawn: (width: number, height: number): string => `一个新框，${width} × ${height}像素`,
  },
  quality: {
    name: "评判框",
    question: "新框对标出的词来说好吗？",
  },
  coverage: {
    name: "框是否齐全",
    question: "标出的词需要的框都有了吗？",
  },
  boxes: {
    name: "画出所有框",
  },
  check: {
    name: "检查所有框",
  },
  writing: {
    name: "写描述",
  },
  caption_check: {
    name: "检查描述",
    question: "描述与照片相符吗？",
  },
  grading: {
    name: "给描述评级",
    question: "描述与照片相符的程度如何？",
  },
  relevance: {
    name: "选出描述",
  },
  choices: {
    same: { label: "是，相同", note: "" },
    different: { label: "否", note: "" },
    allSame: { label: "是，全部相同", note: "" },
    notAll: { label: "否，不全相同", note: "" },
    box: { label: "可以画框", note: "至少给一个能看到的对象" },
    scene: { label: "场景或地点", note: "整个环境，例如公园" },
    nobox: { label: "不能画框", note: "不在图片里，或没有能看到的" },
    noneNeeded: { label: "不需要框", note: "" },
    noFurther: { label: "不需要更多框", note: "" },
    good: { label: "好", note: "" },
    bad: { label: "不好", note: "" },
    complete: { label: "是，都有了", note: "" },
    missing: { label: "否，有遗漏", note: "" },
    describes: { label: "相符", note: "" },
    minor: { label: "有小错误", note: "例如颜色或数量不对，或语法不对" },
    wrong: { label: "不符", note: "" },
    unrelated: { label: "无关", note: "所说的内容，照片里都没有" },
    somewhat: { label: "部分相关", note: "所说的内容有一部分在照片里" },
    nearly: { label: "有小错误", note: "只有细节不对" },
    exactly: { label: "没有错误", note: "" },
  },
  unusable: { label: "照片无法使用" },
  unsure: {
    label: "无法判断",
    note: "会改问其他人。如果该题有已知答案，“无法判断”算答错。",
  },
  left: (n: number): string => `本页还可用${n}次`,
  unanswered: "尚未回答",
  unavailable: "无法加载说明。连接可能已断开：请关闭后重试。",
  more: "下一条描述",
  unread: "请先读完所有描述。这是下一条。",
  photograph: "照片",
  matter: "描述和备注",
  answers: "你的回答",
  mentionBegins: "[标出：",
  mentionEnds: "标出结束]",
  shownBoxes: {
    newOne: "新框",
    accepted: (n: number): string => (n === 0 ? "目前没有框" : `已有${n}个框`),
    numbered: (n: number): string => `框${n}`,
    at: (field: string, left: number, right: number, top: number, bottom: number): string =>
      `${field}，宽度的百分之${left}到百分之${right}，高度的百分之${top}到百分之${bottom}`,
    fields: {
      topLeft: "左上",
      topCentre: "上方中间",
      topRight: "右上",
      middleLeft: "左侧",
      middleCentre: "中间",
      middleRight: "右侧",
      bottomLeft: "左下",
      bottomCentre: "下方中间",
      bottomRight: "右下",
    },
  },
  remark: {
    flag: "词截取有误",
    flagNote: "标出的词不是一个完整的词组：太少、太多或不对。",
    unrelated: "属于另一张照片",
    unrelatedNote: "描述说的是另一张照片。题目仍要回答。",
    comment: "备注",
    commentLabel: "对本题的备注",
    placeholder: "研究人员应该知道什么？",
  },
} satisfies Catalogue["stages"];
