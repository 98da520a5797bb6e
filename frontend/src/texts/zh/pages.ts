import type { Catalogue } from "../catalogue";

const number = new Intl.NumberFormat("zh");

export default {
  direction: "ltr",
  /** The titles of the pages. Links to the pages use them, too. */
  titles: {
    home: "任务",
    me: "你的账户",
    join: "邀请",
    unknown: "没有这个页面",
    preview: (stage) => `预览：${stage}`,
  },
  mine: "你的账户",
  unpaid: "无报酬",
  anHour: (amount) => `每小时${amount}`,
  questions: (n) => `${number.format(n)}题`,
  sent: "本页已发送",
  title: (page) => `${page} · Groundcrew`,
  close: "关闭",
  cancel: "取消",
  reload: "重新加载",
  retry: "重试",
  home: "所有任务",
  loading: "正在加载……",
  progress: {
    label: "本页的题",
    item: (n, state) => `第${n}题，${{ answered: "已回答", open: "未回答", problem: "需改正" }[state]}`,
    count: (n, of) => `${n} / ${of}`,
    overview: "总览",
  },
  stage: {
    question: (n, of) => `第${n}题，共${of}题`,
    back: "返回",
    help: "说明",
    giveBack: "退回本页",
    more: "更多",
    changed: "自你上次阅读以来，说明有改动。",
    begin: "去答题",
  },
  crash: {
    heading: "本页出错了",
    words: "你的回答已保留。重新加载本页，即可从原处继续。",
    load: "无法加载本页",
    loadWords: "连接可能已断开。你的回答已保留。",
  },
} satisfies Catalogue["pages"];
