import type { Unusable } from "../catalogue";

export default {
  ask: "照片无法使用吗？",
  note: "照片加载不出来，或什么也看不清。会改问其他人。",
  paid: "本页报酬照付。",
  yes: "是，无法使用",
  other: "改选其他答案",
} satisfies Unusable;
