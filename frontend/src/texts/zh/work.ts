import type { Catalogue } from "../catalogue";

export default {
  saved: "已保存在此设备上。",
  saving: "正在保存……",
  memory: "此浏览器无法保存你的回答。请保持此标签页打开，直到本页发送完毕。",
  offline: "没有网络。请继续作答：你的回答保留在此设备上。",
  unreachable: "无法连接服务器。本页会自动重试。",
  waiting: (n: number) => `有${n}页回答在等待网络，已保留在此设备上，之后会自动发送。`,
  soon: (minutes: number) => `这一页还归你${minutes}分钟。继续作答就会为你保留。`,
  over: "这一页的时间已到。你仍可发送：仍有需要的回答算数。",
  notice: () => "没有成功。你的回答已保留。",
  problems: (n: number) => `有${n}个回答未能被接受。请改正后重新发送。`,
  aside: (n: number) => `有${n}个回答未能送达。在你看到这条消息之前，这些回答会一直保留。`,
} satisfies Catalogue["work"];
