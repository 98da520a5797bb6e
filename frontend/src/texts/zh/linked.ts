import type { Linked } from "../catalogue";

export default {
  away: "此任务中没有适合您的工作",
  awayWords:
    "这与您或您的工作无关：剩下的内容已由他人领取，或者您已完成自己的部分。请过几分钟再看，或在平台上退还此任务。",
  awayPaid: "请带着它返回平台，让平台知道您来过。如果您愿意等待，请过几分钟再看。",
  codeWords: "您的答案已保存。请复制此代码并在平台上输入：平台收到后即会付款。",
  copy: "复制",
  copied: "已复制",
} satisfies Linked;
